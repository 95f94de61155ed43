// Types that several scripts of the desk name in their comments.

/** A form of a page, and its fields by their names. */
interface Form extends HTMLFormElement {
  elements: HTMLFormControlsCollection & Record<string, Field>;
}

/** A field of such a form: what scripts use of an input they find at a select or a textarea too. */
interface Field extends HTMLInputElement {
  form: Form;
}

/** An event of an element of this kind. */
type EventAt<Target extends Element, Kind extends Event = Event> = Kind & { target: Target };

/** A form on its way to the server, and the button that sent it. */
type Sending = SubmitEvent & { target: HTMLFormElement; submitter: HTMLButtonElement | null };

/** What the pages of Django REST framework load before our script. */
declare const $: {
  ajaxPrefilter(change: (options: { headers?: Record<string, string> }) => void): void;
};
