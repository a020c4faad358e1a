import { all, type Found, readTree, textIn } from './render/read-tree.examples.ts';

/** A control as it is posted. */
export type Sent = [name: string, value: string];

function isControl({ tag, given }: Found): boolean {
  const isKnown = ['input', 'select', 'textarea'].includes(tag);
  return isKnown && given['name'] !== undefined && given['disabled'] === undefined;
}

/** What a browser posts of a document (HTML 4.10.22.4): controls with a name that are not disabled, in their order. */
export function postedBy(html: string): Sent[] {
  return all(readTree(html), isControl).flatMap((control): Sent[] => {
    const { tag, given } = control;
    const name = given['name'] as string;
    if (tag === 'textarea')
      return [
        [
          name,
          textIn(control)
            .replace(/^\r?\n/, '')
            .replaceAll(/\r?\n/g, '\r\n'),
        ],
      ];
    if (tag === 'select') return [[name, selectedIn(control)]];
    const type = given['type'] ?? 'text';
    if (type === 'file' || ((type === 'radio' || type === 'checkbox') && given['checked'] === undefined)) return [];
    return [[name, given['value'] ?? (type === 'checkbox' ? 'on' : '')]];
  });
}

function selectedIn(select: Found): string {
  const options = all(select, ({ tag }) => tag === 'option');
  const chosen = options.findLast(({ given }) => given['selected'] !== undefined) ?? options[0];
  return chosen === undefined ? '' : (chosen.given['value'] ?? textIn(chosen));
}

/** What was posted, by the names of controls. */
export function asControls(sent: Sent[]): Record<string, string[]> {
  const controls: Record<string, string[]> = {};
  for (const [name, value] of sent) controls[name] = [...(controls[name] ?? []), value];
  return controls;
}
