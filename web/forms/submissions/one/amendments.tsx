import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { answerText } from '../../../../src/forms/export/answer-text.ts';
import type { Answered } from '../../../../src/forms/model/questions.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/forms/submission.ts';
import { Amend } from './amend.tsx';
import { useQuestions } from './model.ts';
import type { Submission } from './page.tsx';
import { useWho } from './who.ts';

type Amendment = Submission['amendments'][number];

/** What was set right in a submission, or said against it. */
export function Amendments({ submission }: { submission: Submission }) {
  const questions = useQuestions(submission);
  const [isAmending, setIsAmending] = useState(false);
  return (
    <Card title={words.amendments} lead={words.amendmentsLead}>
      {submission.amendments.length === 0 ? (
        <p className="text-sm text-soft">{words.noAmendments}</p>
      ) : (
        <ol className="flex flex-col divide-y">
          {submission.amendments.map((amendment) => (
            <AmendmentLine key={amendment.id} amendment={amendment} questions={questions} />
          ))}
        </ol>
      )}
      <Button className="mt-3" icon={PenLine} onClick={() => setIsAmending(true)}>
        {words.amend}
      </Button>
      <Amend submission={submission} questions={questions} open={isAmending} onClose={() => setIsAmending(false)} />
    </Card>
  );
}

function AmendmentLine({ amendment, questions }: { amendment: Amendment; questions: readonly Answered[] }) {
  const who = useWho();
  const byName = new Map(questions.map((question) => [question.name, question]));
  return (
    <li className="py-2 text-sm">
      {Object.entries(amendment.changes ?? {}).map(([name, answer]) => {
        const question = byName.get(name);
        const text = question === undefined ? JSON.stringify(answer) : answerText(question, answer);
        return (
          <p key={name} className="break-words">
            <span className="text-soft">{words.changedAnswer(question?.label ?? name)}</span>{' '}
            {answer === null ? words.taken : text}
          </p>
        );
      })}
      {amendment.statement !== null && <p className="break-words whitespace-pre-wrap">{amendment.statement}</p>}
      {amendment.reason !== null && <p className="text-soft">{amendment.reason}</p>}
      <p className="text-xs text-soft">
        <When at={amendment.at} exact /> {words.by(amendment.requested_by ?? who(amendment.by.kind, amendment.by.id))}
      </p>
    </li>
  );
}
