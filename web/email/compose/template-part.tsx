import { useRead } from '../../api/query.ts';
import { HtmlFrame } from '../../ui/frame.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { words } from '../../words/email/compose.ts';
import { words as templateWords } from '../../words/email/templates.ts';
import { VariableFields } from '../templates/variable-fields.tsx';
import { placesOf, valuesOf } from '../templates/variable-values.ts';

interface TemplatePartProps {
  id: string;
  variables: readonly string[];
  texts: Readonly<Record<string, string>>;
  onChange(texts: Record<string, string>): void;
}

/** The values for a template, and the message that they make. */
export function TemplatePart({ id, variables, texts, onChange }: TemplatePartProps) {
  const places = placesOf(variables);
  const values = useSettled(valuesOf(places, texts));
  const preview = useRead('previewTemplate', { params: { id }, body: { template_variables: values } }, { keep: true });
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-sm font-semibold">{words.values}</h3>
      <VariableFields places={places} texts={texts} onChange={onChange} />
      {preview.error !== null && <Problem error={preview.error} />}
      {preview.data !== undefined && (
        <div className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">{words.preview}</h3>
          {preview.data.missing.length > 0 && (
            <p className="text-sm text-warn">{templateWords.missing(preview.data.missing)}</p>
          )}
          <HtmlFrame title={words.preview} html={preview.data.html} />
        </div>
      )}
    </div>
  );
}
