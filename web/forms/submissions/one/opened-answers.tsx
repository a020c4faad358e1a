import { Download } from 'lucide-react';
import type { SealedContent } from '../../../../src/forms/end-to-end/content.ts';
import { answerLines } from '../../../../src/forms/export/answer-text.ts';
import { Button } from '../../../ui/button.tsx';
import { fileSize } from '../../../ui/file-size.ts';
import { tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import { useQuestions } from './model.ts';
import { saveSealedFile } from './open-sealed.ts';
import type { Submission } from './page.tsx';

interface OpenedAnswersProps {
  submission: Submission;
  content: SealedContent;
  identities: readonly string[];
}

/** What was opened in this browser, question by question. */
export function OpenedAnswers({ submission, content, identities }: OpenedAnswersProps) {
  const questions = useQuestions(submission);
  const signedBy = content.signature?.['name'];
  return (
    <>
      <dl className="flex flex-col gap-4">
        {questions
          .filter(({ kind }) => kind !== 'file' && kind !== 'hidden')
          .map((question) => {
            const lines = answerLines(question, content.answers[question.name]);
            return (
              <div key={question.name}>
                <dt className="text-sm text-soft">{question.label}</dt>
                {lines.length === 0 && <dd className="text-soft italic">{words.notAnswered}</dd>}
                {lines.map((line) => (
                  <dd key={line} className="break-words whitespace-pre-wrap">
                    {line}
                  </dd>
                ))}
              </div>
            );
          })}
      </dl>
      {typeof signedBy === 'string' && <p className="mt-4">{words.signatureBy(signedBy)}</p>}
      {content.files.length > 0 && (
        <ul className="mt-4 flex flex-col divide-y border-t">
          {content.files.map((file) => (
            <li key={file.storedAs} className="flex items-center justify-between gap-3 py-2">
              <p className="min-w-0 truncate">
                {file.name} <span className="text-sm text-soft">{fileSize(file.size)}</span>
              </p>
              <Button
                icon={Download}
                aria-label={words.saveFile(file.name)}
                onClick={() => void saveSealedFile(identities, submission, file).catch(tellProblem)}
              >
                {words.save}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
