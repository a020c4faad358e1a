/** Lines as they come over the wire. */
export function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/** A delivery report as RFC 3464 has it, of whichever words and fields. */
export function deliveryReport({
  words = 'It did not work.',
  fields = '',
}: {
  words?: string;
  fields?: string;
}): string {
  return crlf(`From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="edge"

This is a MIME-encapsulated message.

--edge
Content-Type: text/plain; charset=us-ascii

${words}

--edge
Content-Type: message/delivery-status

${fields}

--edge
Content-Type: message/rfc822

From: Clinic <clinic@example.org>
To: ann@example.com
Subject: secret subject
Final-Recipient: rfc822; not-this-one@example.com
Action: failed
Status: 5.1.1

secret body
--edge--
`);
}

/** As Postfix reports an unknown mailbox. */
export function postfix(address: string): string {
  return deliveryReport({
    words: `I could not deliver your message, sorry.\n\n<${address}>: host mx.example.com[192.0.2.7] said: 550 5.1.1 no`,
    fields: `Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 4XyZ
X-Postfix-Sender: rfc822; someone@example.org
Arrival-Date: Mon,  2 Nov 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${address}
Original-Recipient: rfc822;${address}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550 5.1.1 <${address}>: Recipient address
    rejected: User unknown`,
  });
}

/** As Exim reports it: the status says nothing, the words do. */
export function exim(address: string): string {
  return deliveryReport({
    words: `This message was created automatically by mail delivery software.\n\n  ${address}\n    host said no`,
    fields: `Reporting-MTA: dns; mail.example.net

Action: failed
Final-Recipient: rfc822;${address}
Status: 5.0.0
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550 5.2.1 this mailbox is disabled`,
  });
}

/** As Exchange reports it. */
export function exchange(address: string): string {
  return deliveryReport({
    fields: `Reporting-MTA: dns;AB0PR01MB0001.example.net
Received-From-MTA: dns;mail.example.org
Arrival-Date: Mon, 2 Nov 2026 10:00:00 +0000

Original-Recipient: rfc822;${address}
Final-Recipient: rfc822;${address}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; the recipient is not there
X-Display-Name: Somebody`,
  });
}

/** As Gmail reports a full mailbox, in several lines of one field. */
export function gmailFull(address: string): string {
  return deliveryReport({
    fields: `Reporting-MTA: dns; mail.example.net
Arrival-Date: Mon, 02 Nov 2026 02:00:00 -0800 (PST)

Final-Recipient: rfc822; ${address}
Action: failed
Status: 5.2.2
Remote-MTA: dns; mx.example.com. (192.0.2.9, the server for the domain.)
Diagnostic-Code: smtp; 552-5.2.2 The recipient's inbox is out of storage
 552 5.2.2 space.
Last-Attempt-Date: Mon, 02 Nov 2026 02:00:01 -0800 (PST)`,
  });
}

/** A warning that mail is late. */
export function delayed(address: string): string {
  return deliveryReport({
    fields: `Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ${address}
Action: delayed
Status: 4.4.1
Diagnostic-Code: smtp; 421 4.4.1 no answer yet
Will-Retry-Until: Sat,  7 Nov 2026 10:00:00 +0000 (UTC)`,
  });
}

/** As qmail says it, in words only. */
export function qmail(address: string): string {
  return crlf(`From: MAILER-DAEMON@old.example.net
Subject: failure notice

Hi. This is the qmail-send program at old.example.net.
I was not able to deliver your message to the following addresses.
This is a permanent error; I have given up.

<${address}>:
192.0.2.5 does not like recipient.
Remote host said: 550 5.1.1 no such user
Giving up on 192.0.2.5.

--- Below this line is a copy of the message.

From: clinic@example.org
To: other@example.com 5.1.1
`);
}

/** As Exim says it without a report, with no code at all. */
export function eximPlain(address: string): string {
  return crlf(`From: Mail Delivery System <Mailer-Daemon@mail.example.net>
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${address}
    retry timeout exceeded

------ This is a copy of the message, including all the headers. ------

To: other@example.com
`);
}

/** A notice of a server that nobody knows. */
export function unknownServer(address: string, code: string): string {
  return crlf(`From: postmaster@strange.example.net
Subject: Undeliverable

Your mail to <${address}> (by 10.5.1.1) was refused with ${code} sorry.
`);
}

/** A complaint as mailbox providers pass it on (RFC 5965). */
export function complaint({ type = 'abuse', recipient }: { type?: string; recipient?: string } = {}): string {
  return crlf(`From: feedback@provider.example
Subject: FW: your mail
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part"

--part
Content-Type: text/plain

This is a report about mail that came from you.

--part
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Provider/1.0
Version: 1${recipient === undefined ? '' : `\nOriginal-Rcpt-To: <${recipient}>`}
Source-IP: 192.0.2.1

--part
Content-Type: text/rfc822-headers

To: redacted
--part--
`);
}

/** Somebody is away. */
export function autoReply(): string {
  return crlf(`From: ann@example.com
Subject: Automatic reply: Your visit
Auto-Submitted: auto-replied

I am away until Monday. Ask postmaster@example.com, or 5.1.1 for that matter.
`);
}
