import { X } from 'lucide-react';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/rules.ts';
import { type Known, questionOf } from '../draft/questions.ts';
import { type Rule, type Test, takesValue, testsFor } from './rules.ts';

interface RuleRowProps {
  rule: Rule;
  number: number;
  questions: readonly Known[];
  onChange(rule: Rule): void;
  onRemove(): void;
}

/** One sentence of a condition. */
export function RuleRow({ rule, number, questions, onChange, onRemove }: RuleRowProps) {
  const question = questionOf(questions, rule.name);
  const ask = (name: string) => {
    const next = questionOf(questions, name);
    const tests = next === undefined ? [] : testsFor(next.kind);
    const test = tests.includes(rule.test) && next?.kind === question?.kind ? rule.test : (tests[0] ?? 'answered');
    onChange({ name, test, values: [next?.choices[0]?.value ?? ''] });
  };
  return (
    <div className="flex items-start gap-1 rounded-md border bg-canvas p-2">
      <div className="flex min-w-0 grow flex-col gap-2">
        <Field label={words.question(number)} hideLabel>
          <Select value={question?.name ?? rule.name} onChange={(event) => ask(event.target.value)}>
            {question === undefined && <option value={rule.name}>{words.gone(rule.name)}</option>}
            {questions.map(({ key, name, label }) => (
              <option key={key} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.test(number)} hideLabel>
          <Select value={rule.test} onChange={(event) => onChange({ ...rule, test: event.target.value as Test })}>
            {(question === undefined ? [rule.test] : testsFor(question.kind)).map((test) => (
              <option key={test} value={test}>
                {testInWords(test, question)}
              </option>
            ))}
          </Select>
        </Field>
        {takesValue(rule.test) && <RuleValue rule={rule} number={number} question={question} onChange={onChange} />}
      </div>
      <button
        type="button"
        aria-label={words.removeRule(number)}
        className="rounded p-1.5 text-soft hover:bg-sunken"
        onClick={onRemove}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

interface RuleValueProps {
  rule: Rule;
  number: number;
  question: Known | undefined;
  onChange(rule: Rule): void;
}

function RuleValue({ rule, number, question, onChange }: RuleValueProps) {
  const choices = question?.choices ?? [];
  const [value = ''] = rule.values;
  if (rule.test === 'one_of') {
    const toggle = (each: string) =>
      onChange({
        ...rule,
        values: rule.values.includes(each) ? rule.values.filter((one) => one !== each) : [...rule.values, each],
      });
    return (
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{words.value(number)}</legend>
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-brand"
              checked={rule.values.includes(choice.value)}
              onChange={() => toggle(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </fieldset>
    );
  }
  const change = (next: string) => onChange({ ...rule, values: [next] });
  return (
    <Field label={words.value(number)} hideLabel>
      {choices.length > 0 ? (
        <Select value={value} onChange={(event) => change(event.target.value)}>
          {!choices.some((choice) => choice.value === value) && <option value={value}>{words.gone(value)}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
      ) : (
        <Input type={typeOf(rule.test, question)} value={value} onChange={(event) => change(event.target.value)} />
      )}
    </Field>
  );
}

function typeOf(test: Test, question: Known | undefined): string {
  if (test === 'age_under' || test === 'age_at_least') return 'number';
  if (question?.kind === 'date' || question?.kind === 'time') return question.kind;
  return ['number', 'rating', 'calculated'].includes(question?.kind ?? '') ? 'number' : 'text';
}

function testInWords(test: Test, question: Known | undefined): string {
  const own: Partial<Record<Test, string>> =
    question?.kind === 'date' || question?.kind === 'time'
      ? words.dateTests
      : question?.kind === 'checkboxes'
        ? words.chosenTests
        : {};
  return own[test] ?? words.tests[test];
}
