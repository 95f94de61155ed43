"""The director's desk: pages for those who signed in, under /desk/.

A page is a `DeskPage`: it says which right it needs, finds the place that its address names, shows
a template, and carries out what a form asks for. Every form works without JavaScript. A form that
is sent twice is carried out once; what is refused is said at its field; who was overtaken by
somebody else sees what differs.
"""
