"""Views of My season: the page itself, signing in and out, and what strangers see."""

import math
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import FormView, TemplateView

from scoring.games import phones
from scoring.web.my.devices import OwnPageMixin, PrivatePageMixin, sign_in_response
from scoring.web.my.season import describe_season
from scoring.web.player_cookie import COOKIE, device_of, keep_signed_in
from scoring.web.rate_limit import CodeThrottle, PageThrottle, SignInMailThrottle
from tournaments.api.feeds import secret_calendar_url
from tournaments.core.errors import GoneError, NotAllowedError, NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.core.mail import can_send
from tournaments.core.public_address import public_site
from tournaments.models import Person, PlayerDevice, SignInMethod
from tournaments.models.limits import max_length
from tournaments.people import calendar_addresses, player_devices, result_consent
from tournaments.people.player_devices import FROM_PHONE, LINK_LIFE, LINKS_MAX, OWN_CODE_LIFE
from tournaments.people.result_consent import letterhead_of
from tournaments.web.desk.base import REFUSED
from tournaments.web.desk.forms import DeskForm, DeskModelForm
from tournaments.web.desk.members import SHOWN_CHOICES
from tournaments.web.signed_in import SignedIn

_TOO_MANY: Final = 429


class SeasonPage(OwnPageMixin, TemplateView):
    """The page of the player as whom this device is signed in."""

    template_name = "my/season.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page, and renew the cookie: who looks now and then stays signed in."""
        return keep_signed_in(super().get(request, *args, **kwargs), request.COOKIES[COOKIE])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        at = timezone.now()
        devices = player_devices.list_devices(self.player, at=at)
        return super().get_context_data(
            player=self.player,
            device=self.device,
            from_tables=devices.filter(method=SignInMethod.PHONE),
            **describe_season(self.player, at),
            **kwargs,
        )


@method_decorator(csrf_exempt, name="dispatch")  # The token that is sent opens it, no cookie does.
class PhoneSignIn(PrivatePageMixin):
    """Sign in the phone that follows its player at the tables; one that lies there has no token."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        at = timezone.now()
        try:
            phone = phones.find_phone(request.POST.get("phone", ""), at=at)
            device = device_of(request)
            if device and device.phone_id is None and device.player_id == phone.player_id:
                # It may do more than one that a phone signs in.
                return redirect("my-season")
            made = phones.sign_in_from_phone(phone=phone, at=at)
        except NotAllowedError as error:
            messages.error(request, translate(error.message))
            return redirect("my-sign-in")
        except (NotThereError, GoneError):
            words = _("This phone follows nobody any more. Sign in by a code instead.")
            messages.error(request, words)
            return redirect("my-sign-in")
        return sign_in_response(self.request, made)


class CodeForm(DeskForm):
    """A code that a player was given, or made on another device."""

    code = forms.CharField(
        label=gettext_lazy("Your code"),
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "characters",
                "autocomplete": "one-time-code",
                "spellcheck": "false",
            }
        ),
    )


class EmailForm(DeskForm):
    """The address to which a link is sent."""

    ids = "mail_%s"

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=max_length(Person, "email"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class SignInMixin(PrivatePageMixin, FormView):  # type: ignore[type-arg]  # generic in stubs only
    """The page with all ways in; each form of it has an address of its own."""

    template_name = "my/sign_in.html"
    throttle: type[PageThrottle]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = self.throttle.wait_for(request)
        if wait is None:
            return super().post(request, *args, **kwargs)
        form = self.get_form()
        form.add_error(None, _("Too many requests at once. Please try again in a few minutes."))
        answer = self.render_to_response(self.get_context_data(form=form), status=_TOO_MANY)
        answer["Retry-After"] = str(math.ceil(wait))
        return answer

    def form_invalid(self, form: DeskForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=REFUSED)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Each form of the page is empty, but for the one that was sent."""
        context = super().get_context_data(**kwargs)
        form = context["form"]
        forms_shown = {
            "code_form": form if isinstance(form, CodeForm) else CodeForm(),
            "email_form": form if isinstance(form, EmailForm) else EmailForm(),
        }
        return {**context, **forms_shown, "can_send": can_send()}


class SignIn(SignInMixin):
    """The way in for a device: by a code, from the phone at the table, or by e-mail."""

    form_class = CodeForm
    throttle = CodeThrottle

    def form_valid(self, form: CodeForm) -> HttpResponse:
        try:
            made = player_devices.use_code(
                secret=form.cleaned_data["code"],
                method=SignInMethod.CODE,
                at=timezone.now(),
            )
        except NotThereError:
            form.add_error(
                "code", _("There is no such code. It has 8 letters and digits, and works once.")
            )
            return self.form_invalid(form)
        return sign_in_response(self.request, made)


class AskForLink(SignInMixin):
    """Have a link sent; nobody learns from the answer whether the address is known."""

    http_method_names = ["post"]
    form_class = EmailForm
    throttle = SignInMailThrottle

    def form_valid(self, form: EmailForm) -> HttpResponse:
        if can_send():
            player_devices.request_links(
                email=form.cleaned_data["email"],
                site=public_site(self.request),
                language=get_language() or "",
                at=timezone.now(),
            )
        minutes = LINK_LIFE.seconds // 60
        context = self.get_context_data(form=EmailForm(), minutes=minutes, links_most=LINKS_MAX)
        return self.render_to_response(context)


class OpenLink(PrivatePageMixin, TemplateView):
    """A link from an e-mail: it asks first, as programs open links of e-mails by themselves."""

    http_method_names = ["get", "head", "post"]
    template_name = "my/link.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            link = player_devices.find_code(
                self.kwargs["token"], method=SignInMethod.EMAIL, at=timezone.now()
            )
        except NotThereError:
            return super().get_context_data(player=None, **kwargs)
        return super().get_context_data(player=link.player, **kwargs)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """Use the link up."""
        try:
            made = player_devices.use_code(
                secret=token,
                method=SignInMethod.EMAIL,
                at=timezone.now(),
            )
        except NotThereError:
            return redirect("my-link", token)
        return sign_in_response(self.request, made)


@method_decorator(csrf_exempt, name="dispatch")  # The token that is sent opens it, no cookie does.
class StopResults(PrivatePageMixin, TemplateView):
    """No more results by e-mail: a page that asks first, and what mail programs send (RFC 8058)."""

    http_method_names = ["get", "head", "post"]
    template_name = "my/no_results.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        player = result_consent.find_stopping(self.kwargs["token"])
        return super().get_context_data(player=player, club=player.club, **kwargs)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """End it."""
        result_consent.stop_results(token=token, at=timezone.now())
        return self.render_to_response(self.get_context_data())


class ConfirmResults(PrivatePageMixin, TemplateView):
    """The link by which the owner of an address says that they want results: it asks first."""

    http_method_names = ["get", "head", "post"]
    template_name = "my/results.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        player = result_consent.find_confirming(self.kwargs["token"])
        return super().get_context_data(player=player, club=player.club, **kwargs)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """Note it."""
        result_consent.confirm_results(token=token, at=timezone.now())
        return self.render_to_response(self.get_context_data())


class PrivacyForm(DeskModelForm):
    """The player's details for strangers, and the mails they get."""

    shown = forms.ChoiceField(label=gettext_lazy("Strangers see"), choices=SHOWN_CHOICES)

    class Meta:
        model = Person
        fields = ["shown", "shows_statistics", "gets_results"]
        labels = {
            "shows_statistics": gettext_lazy("Strangers may see my statistics"),
            "gets_results": gettext_lazy(
                "Send me by e-mail: results of nights, invitations, and what becomes of my nights"
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not (self.instance.email and can_send()):
            del self.fields["gets_results"]


class SeasonSettings(OwnPageMixin, FormView):  # type: ignore[type-arg]  # generic in stubs only
    """The choice of what strangers see, a code for another device, and the signed-in devices."""

    template_name = "my/settings.html"
    form_class = PrivacyForm
    success_url = reverse_lazy("my-settings")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        at = timezone.now()
        if "renew" in request.POST:
            calendar_addresses.renew_own_address(device=self.device, at=at)
            words = _("The new address works. One that there was before opens nothing any more.")
            messages.success(request, words)
            return redirect("my-settings")
        if "revoke" in request.POST:
            calendar_addresses.revoke_own_address(device=self.device, at=at)
            words = _("The address is ended. It opens nothing any more.")
            messages.success(request, words)
            return redirect("my-settings")
        if "code" not in request.POST:
            return super().post(request, *args, **kwargs)
        code = player_devices.make_own_code(device=self.device, at=at)
        # On the answer alone: a message would be kept in the session.
        form = self.form_class(instance=self.player.person)
        return self.render_to_response(self.get_context_data(form=form, code=code))

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "instance": self.player.person}

    def form_valid(self, form: PrivacyForm) -> HttpResponse:
        try:
            player_devices.change_privacy(
                device=self.device, changes=form.cleaned_data, at=timezone.now()
            )
        except (NotThereError, NotAllowedError):
            raise  # no fault of the form: 404 and 403
        except RefusedError as error:
            form.refuse(error)
            return self.form_invalid(form)
        letterhead = letterhead_of(self.request)
        is_asked = result_consent.ask_for_consent(
            player_id=self.player.pk, letterhead=letterhead, at=timezone.now()
        )
        words = _("Saved. To get results, open the link that we send you by e-mail.")
        messages.success(self.request, words if is_asked else _("Saved."))
        return super().form_valid(form)

    def form_invalid(self, form: PrivacyForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=REFUSED)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        address = calendar_addresses.find_own_address(self.player)
        return super().get_context_data(
            player=self.player,
            club=self.player.club,
            device=self.device,
            has_calendar=address is not None,
            calendar_url=secret_calendar_url(self.request, address),
            devices=[
                self._describe(device)
                for device in player_devices.list_devices(self.player, at=timezone.now())
            ],
            why_not=translate(FROM_PHONE) if self.device.phone_id else "",
            code_minutes=OWN_CODE_LIFE.seconds // 60,
            **kwargs,
        )

    def _describe(self, device: PlayerDevice) -> SignedIn:
        title = device.get_method_display()
        if device.table is not None:
            title = _("Phone, from table %(table)s") % {"table": device.table}
        return SignedIn(
            title=title,
            value=str(device.pk),
            made_at=device.made_at,
            used_at=device.used_at,
            is_here=device.pk == self.device.pk,
        )


class SignOut(OwnPageMixin):
    """Sign a device of the player out, this one or another."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        wanted = parse_id(request.POST.get("device", ""))
        player_devices.sign_out_device(player=self.player, device_id=wanted, at=timezone.now())
        if wanted == self.device.pk:
            return redirect("my-sign-in")
        messages.success(request, _("The device is signed out."))
        return redirect("my-settings")
