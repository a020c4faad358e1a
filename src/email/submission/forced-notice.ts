const NAME = 'x-force-secure-msg';
const NO = /^(?:false|0|off|no)$/i;

/** Whether a header asks for a notice in place of the content, as clients do over SMTP: every value asks that does not say no. */
export function asksForNotice(headers: Record<string, string>): boolean {
  return Object.entries(headers).some(([name, value]) => name.toLowerCase() === NAME && !NO.test(value.trim()));
}
