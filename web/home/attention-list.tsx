import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useUser } from '../session/session.ts';
import { mayGo } from '../shell/navigation.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Card } from '../ui/page.tsx';
import { words } from '../words/home.ts';

type Attention = Reply<'readHome'>['attention'][number];

const LOOKS: Record<Attention['severity'], { icon: LucideIcon; tone: Tone; colour: string }> = {
  error: { icon: CircleAlert, tone: 'bad', colour: 'text-bad' },
  warning: { icon: TriangleAlert, tone: 'warn', colour: 'text-warn' },
  info: { icon: Info, tone: 'info', colour: 'text-info' },
};

/** What somebody should look at, each with a way there. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  return (
    <Card title={words.attentionTitle}>
      {attention.length === 0 ? (
        <div className="flex items-start gap-3">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
          <div>
            <p className="font-medium">{words.allWell}</p>
            <p className="text-sm text-soft">{words.allWellLead}</p>
          </div>
        </div>
      ) : (
        <ul className="divide-y">
          {attention.map((item) => (
            <AttentionItem key={`${item.kind} ${item.where} ${item.subject}`} item={item} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function AttentionItem({ item: { kind, severity, subject, count, where } }: { item: Attention }) {
  const { role } = useUser();
  const { icon: Icon, tone, colour } = LOOKS[severity];
  const { title, what, act } = words.attention[kind];
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className={classes('mt-0.5 size-5 shrink-0', colour)} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{title(subject, count ?? 0)}</span>
          <Badge tone={tone}>{words.severity[severity]}</Badge>
        </p>
        <p className="text-sm text-soft">{what}</p>
      </div>
      {mayGo(role, where) && <ButtonLink to={where}>{act}</ButtonLink>}
    </li>
  );
}
