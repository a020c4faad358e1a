import { CodeEditor } from '../../../ui/code-editor.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/mailings.ts';
import type { Language } from './draft.ts';
import type { MergeField } from './merge-fields.ts';
import { MergeMenu } from './merge-menu.tsx';

interface SourceFieldProps {
  language: Exclude<Language, 'blocks'>;
  source: string;
  fields: readonly MergeField[];
  onChange(source: string): void;
}

/** Where a mailing is written in HTML or MJML. */
export function SourceField({ language, source, fields, onChange }: SourceFieldProps) {
  const name = words[language];
  return (
    <Card
      title={name}
      lead={words.sourceHint}
      actions={<MergeMenu into={name} fields={fields} onPick={(mustache) => onChange(source + mustache)} />}
    >
      <CodeEditor label={name} value={source} onChange={onChange} />
    </Card>
  );
}
