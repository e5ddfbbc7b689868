"""Real mail servers: Postfix and Dovecot of this machine, thrown away after the tests.

Run them with `make test-mail`, or one file with `.venv/bin/python -m pytest tests/servers/test_mailhost.py`.
They need root and Debian's postfix, dovecot-imapd and dovecot-lmtpd; nothing of the machine's own set-up of them
is read or changed. Without them the tests are skipped with a sentence that says what to install; with
PBEM_NO_SKIP=1 in the environment they fail instead. Everything is on 127.0.0.1, and nothing is sent out.
"""
