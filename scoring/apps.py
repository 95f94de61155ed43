from django.apps import AppConfig


class Scoring(AppConfig):
    name = "scoring"
