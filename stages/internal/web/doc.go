// Package web is the room of what standards and practice say of the web, without any file or
// connection: canon (URLs), registered (domains), robots (robots.txt), httphead (the head of an
// answer), directives (what a page tells crawlers), media (types), charset (bytes to text) and near
// (texts that are nearly equal).
package web
