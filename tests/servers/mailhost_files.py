"""What stands in the configuration of Postfix and Dovecot when they serve a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the servers listen."""

    imap: int
    imaps: int
    submission: int
    smtps: int
    mx: int


_DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = required
ssl_cert = <{folder}/tls/server.pem
ssl_key = <{folder}/tls/server.key
ssl_min_protocol = TLSv1.2
disable_plaintext_auth = yes
auth_mechanisms = plain login{mechanisms}
auth_username_format = %Lu
auth_failure_delay = 0
recipient_delimiter = +
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail/%d/%n
mail_fsync = always
{oauth}passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
  override_fields = uid=mail gid=mail home={folder}/mail/%d/%n
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {ports.imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {ports.imaps}
    ssl = yes
  }}
}}
service lmtp {{
  unix_listener lmtp {{
    mode = 0666
  }}
}}
# a wrong password is answered at once
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  unix_listener sasl {{
    mode = 0666
  }}
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
"""

_OAUTH_PASSDB = """\
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth.conf
}}
"""

_OAUTH = """\
introspection_mode = get
introspection_url = {url}
tokeninfo_url = {url}
username_attribute = email
active_attribute = active
active_value = true
"""

_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/pf-queue
data_directory = {folder}/pf-data
maillog_file = {folder}/log/postfix.log
maillog_file_prefixes = {folder}/log
myhostname = mx.{domain}
mydestination =
local_transport = error:no local users
local_recipient_maps =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
# nobody is trusted for where they come from
mynetworks = 127.0.0.2/32
biff = no
recipient_delimiter = +
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = inline:{{ {known} }}
virtual_transport = lmtp:unix:{folder}/run/lmtp
# nothing is sent out: who is of no domain of ours is unknown to Dovecot, after Postfix has taken the mail
default_transport = lmtp:unix:{folder}/run/lmtp
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/run/sasl
smtpd_sasl_security_options = noanonymous
smtpd_tls_chain_files = {folder}/tls/server.key, {folder}/tls/server.pem
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtp_tls_security_level = none
smtp_dns_support_level = disabled
smtputf8_enable = yes
# a wrong password is answered at once
smtpd_error_sleep_time = 0
# what cannot be delivered is tried again at once
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
"""

_LMTP = """\
transport_maps = inline:{{ {transports} }}
smtpd_recipient_restrictions = check_recipient_access inline:{{ {verified} }}
unverified_recipient_reject_code = 550
address_verify_poll_delay = 1s
address_verify_negative_refresh_time = 10s
address_verify_negative_expire_time = 20s
address_verify_positive_refresh_time = 5m
address_verify_positive_expire_time = 10m
"""

_MASTER = """\
127.0.0.1:{ports.mx} inet n - n - - smtpd
127.0.0.1:{ports.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
127.0.0.1:{ports.smtps} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
error unix - - n - - error
retry unix - - n - - error
scache unix - - n - 1 scache
lmtp unix - - n - - lmtp
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""


def dovecot_conf(folder: Path, ports: Ports, oauth: bool) -> str:
    """`dovecot.conf`."""
    return _DOVECOT.format(
        folder=folder,
        ports=ports,
        mechanisms=" xoauth2 oauthbearer" if oauth else "",
        oauth=_OAUTH_PASSDB.format(folder=folder) if oauth else "",
    )


def oauth_conf(url: str) -> str:
    """How Dovecot asks what a token is worth."""
    return _OAUTH.format(url=url)


def main_cf(
    folder: Path, domain: str, domains: Sequence[str], users: Sequence[str], lmtp: Mapping[str, str]
) -> str:
    """Postfix's `main.cf`. Of the domains in `lmtp` every recipient is known until their server says no."""
    known = [f"{user}=1" for user in users] + [f"@{name}=1" for name in lmtp]
    text = _MAIN.format(folder=folder, domain=domain, domains=", ".join(domains), known=", ".join(known))
    if not lmtp:
        return text
    transports = ", ".join(f"{name}=lmtp:{place}" for name, place in lmtp.items())
    verified = ", ".join(f"{name}=reject_unverified_recipient" for name in lmtp)
    return text + _LMTP.format(transports=transports, verified=verified)


def master_cf(ports: Ports) -> str:
    """Postfix's `master.cf`."""
    return _MASTER.format(ports=ports)
