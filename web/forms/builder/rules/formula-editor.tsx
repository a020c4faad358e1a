import { writeName } from '../../../../src/forms/model/expression/write.ts';
import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { words as rules } from '../../../words/builder/rules.ts';
import type { Known } from '../draft/questions.ts';
import { readSource } from './condition.ts';

interface FormulaEditorProps {
  source: string;
  questions: readonly Known[];
  onChange(source: string): void;
}

/** What is calculated, as text, with the questions to put in and the functions there are. */
export function FormulaEditor({ source, questions, onChange }: FormulaEditorProps) {
  const { mistake } = readSource(source, questions);
  const problem =
    mistake === null
      ? undefined
      : mistake.kind === 'unknown'
        ? rules.unknown(mistake.name)
        : rules.mistake(mistake.rule, mistake.position);
  return (
    <div className="flex flex-col gap-3">
      <Field label={words.formula} hint={words.formulaHint} problem={problem}>
        <Textarea
          rows={3}
          className="font-mono text-sm"
          spellCheck={false}
          value={source}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <Field label={words.insertQuestion}>
        <Select
          value=""
          onChange={(event) => onChange(`${source}${source === '' ? '' : ' '}${writeName(event.target.value)}`)}
        >
          <option value="">{words.choose}</option>
          {questions.map(({ key, name, label }) => (
            <option key={key} value={name}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <details className="text-sm">
        <summary className="cursor-pointer py-1 font-medium">{words.functions}</summary>
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {words.functionList.map(([name, does]) => (
            <div key={name} className="contents">
              <dt className="font-mono text-xs leading-5">{name}</dt>
              <dd className="text-soft">{does}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
