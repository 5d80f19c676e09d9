"""One module a page, each with `page()`. (A folder named `pages` would switch on the old kind of multipage app.)"""
