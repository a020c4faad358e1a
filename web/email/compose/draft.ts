import type { Body } from '../../api/client.ts';
import { fromLocalInput } from '../../ui/local-time.ts';

/** A message as it stands in the fields of the page. */
export interface Draft {
  from: string;
  to: string;
  subject: string;
  kind: 'text' | 'html' | 'template';
  text: string;
  html: string;
  templateId: string;
  when: 'now' | 'later';
  at: string;
  secure: boolean;
}

/** A message of which nothing is written yet. */
export function blankDraft(from: string, template: number | undefined): Draft {
  return {
    from,
    to: '',
    subject: '',
    kind: template === undefined ? 'text' : 'template',
    text: '',
    html: '',
    templateId: template === undefined ? '' : String(template),
    when: 'now',
    at: '',
    secure: false,
  };
}

export interface AttachedFile {
  fileName: string;
  contentType: string;
  /** Base64. */
  content: string;
}

type Data = Body<'sendMessage'>['data'];

/** The draft as the server takes it. */
export function dataOf(draft: Draft, values: Record<string, unknown>, files: readonly AttachedFile[]): Data {
  const byTemplate = draft.kind === 'template';
  return {
    message: {
      recipients: splitAddresses(draft.to),
      headers: { from: draft.from.trim(), ...(draft.subject.trim() === '' ? {} : { subject: draft.subject.trim() }) },
      ...(draft.kind === 'text' ? { content: { 'text/plain': draft.text } } : {}),
      ...(draft.kind === 'html' ? { content: { 'text/html': draft.html } } : {}),
      attachments: [...files],
      forceSecureNotification: draft.secure,
    },
    ...(byTemplate ? { template_id: Number(draft.templateId), template_variables: values } : {}),
  };
}

/** When the message shall leave; undefined sends it now. */
export function timeOf({ when, at }: Draft): string | undefined {
  return when === 'now' ? undefined : fromLocalInput(at);
}

/** Whether this can be an address or a name with one; the server looks closer. */
export function isAddress(text: string): boolean {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
  return /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(address.trim());
}

/** Whether every address in a line can be one. */
export function areAddresses(line: string): boolean {
  return splitAddresses(line).every(isAddress);
}

/** The addresses in a line, parted by commas; a comma within quotes belongs to a name. */
function splitAddresses(line: string): string[] {
  return (line.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}
