import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/mailings.ts';
import type { PreviewProblem } from './use-preview.ts';

const TONES: Record<PreviewProblem['severity'], Tone> = { error: 'bad', warning: 'warn', note: 'info' };

/** What should be known before a mailing is sent. */
export function Problems({ problems }: { problems: readonly PreviewProblem[] }) {
  return (
    <Card title={words.problems}>
      {problems.length === 0 ? (
        <p className="text-sm text-soft">{words.noProblems}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {problems.map(({ field, severity, message }) => (
            <li key={field + message} className="flex flex-col items-start gap-1 text-sm">
              <Badge tone={TONES[severity]}>{words.severities[severity]}</Badge>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
