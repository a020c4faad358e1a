import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Answered } from '../../../../src/forms/model/questions.ts';
import { fieldProblem, isAbout } from '../../../api/field-problem.ts';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, Input, Select, Textarea } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import { words as shared } from '../../../words/shared.ts';
import type { Submission } from './page.tsx';

interface AmendProps {
  submission: Submission;
  questions: readonly Answered[];
  open: boolean;
  onClose(): void;
}

interface Wanted {
  question: string;
  answer: string;
  statement: string;
  reason: string;
  requestedBy: string;
}

/** Questions whose answer can be written on one line. */
const WRITTEN = new Set([
  'text',
  'long_text',
  'number',
  'email',
  'phone',
  'date',
  'time',
  'select',
  'radio',
  'yes_no',
  'rating',
]);
const BLANK: Wanted = { question: '', answer: '', statement: '', reason: '', requestedBy: '' };

/** Sets an answer right or adds a statement of disagreement (45 CFR 164.526). */
export function Amend({ submission, questions, open, onClose }: AmendProps) {
  const params = { id: submission.form_id, sid: submission.id };
  const [kind, setKind] = useState<'answer' | 'statement'>('answer');
  const { register, handleSubmit, reset, watch } = useForm<Wanted>({ defaultValues: BLANK });
  const amend = useWrite('createAmendment', {
    stale: ['readSubmission', 'listSubmissions'],
    onDone: () => {
      reset();
      onClose();
      tell(words.amended);
    },
  });
  const chosen = questions.find(({ name }) => name === watch('question'));
  const offered = chosen !== undefined && 'choices' in chosen ? chosen.choices : [];
  const answerNames = chosen === undefined ? [] : [chosen.name, `changes.${chosen.name}`];
  const shown = [...(kind === 'answer' ? answerNames : ['statement']), 'reason', 'requested_by'];
  const send = ({ question, answer, statement, reason, requestedBy }: Wanted) =>
    amend.mutate({
      params,
      body: {
        ...(kind === 'answer' ? { changes: { [question]: answer === '' ? null : answer } } : { statement }),
        ...(reason === '' ? {} : { reason }),
        ...(requestedBy === '' ? {} : { requested_by: requestedBy }),
      },
    });
  return (
    <Dialog open={open} onClose={onClose} title={words.amendTitle} lead={words.amendmentsLead}>
      <form className="flex flex-col gap-3" onSubmit={(event) => void handleSubmit(send)(event)}>
        <Choice
          legend={words.amendKind}
          inline
          value={kind}
          options={[
            { value: 'answer', label: words.amendAnswer },
            { value: 'statement', label: words.amendStatement },
          ]}
          onChange={setKind}
        />
        {kind === 'answer' ? (
          <>
            <Field label={words.question}>
              <Select required {...register('question')}>
                <option value="" />
                {questions
                  .filter((question) => WRITTEN.has(question.kind))
                  .map(({ name, label }) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
              </Select>
            </Field>
            <Field
              label={words.newAnswer}
              hint={words.newAnswerHint}
              problem={fieldProblem(amend.error, ...answerNames)}
            >
              {offered.length > 0 ? (
                <Select {...register('answer')}>
                  <option value="" />
                  {offered.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              ) : (
                <Input {...register('answer')} />
              )}
            </Field>
          </>
        ) : (
          <Field label={words.statement} problem={fieldProblem(amend.error, 'statement')}>
            <Textarea required {...register('statement')} />
          </Field>
        )}
        <Field label={words.reason} optional={kind === 'statement'} problem={fieldProblem(amend.error, 'reason')}>
          <Input required={kind === 'answer'} {...register('reason')} />
        </Field>
        <Field label={words.requestedBy} optional problem={fieldProblem(amend.error, 'requested_by')}>
          <Input {...register('requestedBy')} />
        </Field>
        {amend.error !== null && !isAbout(amend.error, ...shown) && <Problem error={amend.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={amend.isPending}>
            {words.addAmendment}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
