// Package advised has the program advise crawl Webs in simulation, for any house of experiments: New
// writes the links of a Web and the seeds of several draws to a folder, and Folder.Run returns what
// crawls fetch from these seeds in some orders, also crawls of several crawlers in the modes of classify
// links. So the links are read once for many crawls. Hands and Together keep all processors busy.
package advised
