import type { Signer } from '../delivery/writing/sign.ts';

interface ReportMail {
  from: string;
  to: string;
  domain: string;
  submitter: string;
  day: string;
  reportId: string;
  at: Date;
  /** The report, packed with gzip. */
  packed: Buffer;
}

const LINES = /.{1,76}/g;

/** Writes a report as mail (RFC 8460 5.3), signed as the reporting domain. */
export async function mailReport(signer: Signer, mail: ReportMail): Promise<Buffer> {
  const { from, to, domain, submitter, day, reportId, at, packed } = mail;
  const start = Date.parse(`${day}T00:00:00Z`) / 1_000;
  const file = `${submitter}!${domain}!${start}!${start + 86_399}!${reportId}.json.gz`;
  const boundary = `report-${reportId}`;
  const id = `<${reportId}@${submitter}>`;
  const headers = [
    `From: Carepost <${from}>`,
    `To: <${to}>`,
    `Subject: Report Domain: ${domain} Submitter: ${submitter} Report-ID: ${id}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${id}`,
    `TLS-Report-Domain: ${domain}`,
    `TLS-Report-Submitter: ${submitter}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type="tlsrpt";\r\n boundary="${boundary}"`,
    '',
  ].join('\r\n');
  const body = [
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is the report on TLS from ${submitter} to ${domain} on ${day} (UTC), see RFC 8460.`,
    `--${boundary}`,
    `Content-Type: application/tlsrpt+gzip; name="${file}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${file}"`,
    '',
    ...(packed.toString('base64').match(LINES) ?? []),
    `--${boundary}--`,
    '',
  ].join('\r\n');
  const signature = await signer.sign(headers, Buffer.from(body));
  return Buffer.from(`${signature}${headers}\r\n${body}`);
}
