// # Between machines: sftp
//
// Where the crawlers run on several machines, one line of nodes.toml changes, and gofer is told who it is and
// whom it may trust:
//
//	url = "sftp://c4-$TO@$FROM.example.org/outgoing"
//	run = """gofer pull … -identity /etc/crawl/key -known-hosts /etc/crawl/known_hosts"""
//
// A path begins at the root of what the account sees, or at its home: /~/outgoing. The other side is OpenSSH.
// Each crawler comes by an account of its own, which sees the folder of what is for it and nothing else; with one
// account for all, or that of the crawler there, any of them could take what is for the others, and write in the
// whole crawl. What root does on the machine of world, whose crawler runs as crawl and was started once before (no
// crawl begins in a directory with something in it), for the one named arts:
//
//	useradd --system --user-group --home-dir / --shell /usr/sbin/nologin c4-arts
//	install -d -o crawl -g c4-arts -m 770 /srv/c4/crawl/world/outgoing/arts
//	install -d -m 755 /srv/peers/c4-arts/outgoing /etc/ssh/peers
//	mount --bind /srv/c4/crawl/world/outgoing/arts /srv/peers/c4-arts/outgoing    # and a line in /etc/fstab
//	echo 'restrict ssh-ed25519 AAAA… arts' > /etc/ssh/peers/c4-arts
//
// and once, at the end of its /etc/ssh/sshd_config:
//
//	MaxStartups 100     # the crawlers come by one clock, and by default each beyond ten may be dropped
//	Match User c4-*
//	    AuthorizedKeysFile /etc/ssh/peers/%u
//	    ChrootDirectory /srv/peers/%u
//	    ForceCommand internal-sftp -p open,close,read,opendir,readdir,stat,lstat,fstat,realpath,remove
//	    DisableForwarding yes
//	    PasswordAuthentication no
//
// The chroot and all above it must be root's, hence the mount. The account can list, read and remove there. It can
// leave an empty file, which gofer passes over, as it does all that is no batch. The crawler there
// needs the usual umask, 022: the batches are only to be read by others, who do not get at them otherwise.
//
// A host is known by the keys that -known-hosts holds for it (lines as in ~/.ssh/known_hosts), and is
// spoken to by those alone: one that is not there, or shows another key, is refused, and nothing is ever
// learnt from the first visit. The lines come from the machine's administrator, who has them in /etc/ssh/*.pub. Lines of
// authorities (@cert-authority) are passed over, revoked keys (@revoked) obeyed. -identity is a private key that only its owner may read and
// that has no passphrase; one that has is used by an agent, without -identity,
// if the stage has env = "SSH_AUTH_SOCK". There are
// no passwords.
//
// One connection is made for each peer and run. A listing gives at most some 90,000 names; the rest follows when
// those are gone.
//
// # Between machines: S3
//
// A bucket of any S3 service can lie between the crawlers. It is nobody's machine; so each brings there what it holds
// for others, by a second stage, and the others pull it from there. What is for one crawler lies below one prefix:
//
//	url = "s3://crawl/c4/to/$TO/from/$FROM?region=eu-central-1"
//	url = "s3://crawl/c4/to/$TO/from/$FROM?endpoint=https://s3.example.org"
//
//	[stage.ship]
//	every = "30m"
//	env   = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]   # the same in the stage that pulls
//	run   = "gofer ship -nodes nodes.toml -node {node} -outgoing crawl/{node}/outgoing -report {report}"
//
// Batches are put if there is none of that name (If-None-Match: *), and removed here when that is done. A service
// that does not know the condition puts them again, with the same bytes: the name holds their hash.
//
// Keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), else from the profile (AWS_PROFILE,
// ~/.aws): keys, aws sso login, or credential_process, by which any other source can give them. The region is that of
// the URL, of AWS_REGION or of the profile. A URL with anything but endpoint and region behind it is refused. An
// endpoint is https, or on this machine; an authority of one's own is named by AWS_CA_BUNDLE, and is then the only
// one that counts. What the crawler arts needs, as a policy of its user:
//
//	{"Version": "2012-10-17", "Statement": [
//	  {"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::crawl/c4/to/*/from/arts/*"},
//	  {"Effect": "Allow", "Action": ["s3:GetObject", "s3:DeleteObject"], "Resource": "arn:aws:s3:::crawl/c4/to/arts/*"},
//	  {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::crawl",
//	   "Condition": {"StringLike": {"s3:prefix": "c4/to/arts/*"}}}]}
package main
