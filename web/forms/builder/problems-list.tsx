import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, Lightbulb } from 'lucide-react';
import { words } from '../../words/builder.ts';
import { type Finding, useBuilder } from './builder-context.ts';
import { keyInWords } from './place-in-words.ts';

/** What is to be mended, each with the way to where it is. */
export function ProblemsList({ findings, onGo }: { findings: readonly Finding[]; onGo?(): void }) {
  const { form, draft, select, focusOn, keyOfFinding } = useBuilder();
  const navigate = useNavigate();
  const goTo = async (key: string) => {
    onGo?.();
    await navigate({ to: '/forms/$id/edit', params: { id: form.id }, search: {} });
    select(key);
    focusOn('row');
  };
  return (
    <ul className="flex flex-col gap-2">
      {findings.map((finding, at) => {
        const key = keyOfFinding(finding);
        const isError = finding.severity === 'error';
        const Icon = isError ? CircleAlert : Lightbulb;
        return (
          <li key={at} className="flex items-start gap-2 text-sm">
            <Icon
              aria-hidden
              className={isError ? 'mt-0.5 size-4 shrink-0 text-bad' : 'mt-0.5 size-4 shrink-0 text-warn'}
            />
            <div className="min-w-0">
              <span className="sr-only">{isError ? words.error : words.warning}: </span>
              {finding.words}{' '}
              {key !== null && (
                <button
                  type="button"
                  className="text-left wrap-anywhere text-brand underline underline-offset-2"
                  onClick={() => void goTo(key)}
                >
                  {words.goThere(keyInWords(draft, key))}
                </button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
