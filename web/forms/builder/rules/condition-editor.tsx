import { Plus } from 'lucide-react';
import { useState } from 'react';
import { writeExpression } from '../../../../src/forms/model/expression/write.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/rules.ts';
import type { Known } from '../draft/questions.ts';
import { type Read, readSource } from './condition.ts';
import { readRules } from './read-rules.ts';
import { RuleRow } from './rule-row.tsx';
import { type Rule, type Rules, testsFor } from './rules.ts';
import { writeRules } from './write-rules.ts';

interface ConditionEditorProps {
  legend: string;
  source: string;
  questions: readonly Known[];
  onChange(source: string): void;
}

/** When something holds: in sentences where they can say it, and else as text. */
export function ConditionEditor({ legend, source, questions, onChange }: ConditionEditorProps) {
  const read = readSource(source, questions);
  const rules = read.mistake === null ? readRules(read.expression, questions) : null;
  const [asText, setAsText] = useState(false);
  const showsText = asText || rules === null;
  if (questions.length === 0 && source === '') return <p className="text-sm text-soft">{words.noQuestions}</p>;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {showsText ? (
        <>
          {rules === null && read.mistake === null && <p className="text-sm text-soft">{words.tooRich}</p>}
          <ConditionText read={read} onChange={onChange} />
          {rules !== null && (
            <div>
              <Button look="quiet" onClick={() => setAsText(false)}>
                {words.asRules}
              </Button>
            </div>
          )}
        </>
      ) : (
        <RuleList
          rules={rules}
          questions={questions}
          onChange={(next) => {
            const expression = writeRules(next, questions);
            onChange(expression === null ? '' : writeExpression(expression));
          }}
          onText={() => setAsText(true)}
        />
      )}
    </fieldset>
  );
}

/** An expression as text, with what is wrong with it. */
function ConditionText({ read, onChange }: { read: Read; onChange(source: string): void }) {
  const { mistake } = read;
  const problem =
    mistake === null
      ? undefined
      : mistake.kind === 'unknown'
        ? words.unknown(mistake.name)
        : words.mistake(mistake.rule, mistake.position);
  return (
    <Field label={words.text} hint={words.textHint} problem={problem}>
      <Textarea
        rows={3}
        className="font-mono text-sm"
        spellCheck={false}
        value={read.source}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

interface RuleListProps {
  rules: Rules;
  questions: readonly Known[];
  onChange(rules: Rules): void;
  onText(): void;
}

function RuleList({ rules: { join, rules }, questions, onChange, onText }: RuleListProps) {
  const change = (next: readonly Rule[]) => onChange({ join, rules: next });
  return (
    <>
      {rules.length === 0 && <p className="text-sm text-soft">{words.always}</p>}
      {rules.length > 1 && (
        <Field label={words.join} hideLabel>
          <Select value={join} onChange={(event) => onChange({ join: event.target.value as Rules['join'], rules })}>
            <option value="and">{words.whenAll}</option>
            <option value="or">{words.whenAny}</option>
          </Select>
        </Field>
      )}
      {rules.length > 0 && (
        <ol className="flex flex-col gap-2">
          {rules.map((rule, at) => (
            <li key={at}>
              <RuleRow
                rule={rule}
                number={at + 1}
                questions={questions}
                onChange={(next) => change(rules.with(at, next))}
                onRemove={() => change(rules.toSpliced(at, 1))}
              />
            </li>
          ))}
        </ol>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} onClick={() => change([...rules, firstRule(questions)])}>
          {words.addRule}
        </Button>
        <Button look="quiet" onClick={onText}>
          {words.asText}
        </Button>
      </div>
    </>
  );
}

function firstRule(questions: readonly Known[]): Rule {
  const [question] = questions;
  const [test = 'answered'] = question === undefined ? [] : testsFor(question.kind);
  return { name: question?.name ?? '', test, values: [question?.choices[0]?.value ?? ''] };
}
