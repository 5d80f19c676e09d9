// The address still holds the token: go on to the page that does not.
location.replace("/");
