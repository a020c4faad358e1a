import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleHelp, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/drips/people.ts';
import { words as drips } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { EnrolDialog } from './enrol-dialog.tsx';
import { ExplainDialog } from './explain-dialog.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { useStepNames } from './step-names.ts';

type Enrolment = Reply<'listDripEnrollments'>['data'][number];

const SIZE = 100;
const TONES: Record<string, Tone> = { active: 'brand', completed: 'good', exited: 'plain' };

/** Who is and was in a campaign, where they stand, and ways to let people in and take them out. */
export function PeoplePage() {
  const { drip } = useEditing();
  const { state, step } = useSearch({ strict: false }) as { state?: string; step?: string };
  const navigate = useNavigate();
  const { nameOf, all } = useStepNames();
  const [open, setOpen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'enrol' | 'explain' | null>(null);
  const isRunning = drip.attributes.state === 'running';
  const rows = usePagedRows({
    op: 'listDripEnrollments',
    input: (page) => ({
      params: { id: drip.id },
      query: {
        page: String(page),
        items: String(SIZE),
        ...(state === undefined ? {} : { state }),
        ...(step === undefined ? {} : { step }),
      },
    }),
    read: ({ data, page_info }) => ({ rows: data, count: page_info.count }),
    size: SIZE,
  });
  const filter = (name: 'state' | 'step', value: string) =>
    void navigate({
      to: `/marketing/drips/${drip.id}/people`,
      search: {
        ...(state === undefined ? {} : { state }),
        ...(step === undefined ? {} : { step }),
        [name]: value === '' ? undefined : value,
      },
    });
  const columns: Column<Enrolment>[] = [
    {
      name: words.email,
      cell: ({ id, attributes }) => (
        <button type="button" className="text-brand underline-offset-2 hover:underline" onClick={() => setOpen(id)}>
          {attributes.email ?? words.noAddress}
        </button>
      ),
    },
    {
      name: words.state,
      cell: ({ attributes }) => (
        <span className="flex items-center gap-2">
          <Badge tone={TONES[attributes.state] ?? 'plain'}>{words.states[attributes.state]}</Badge>
          {attributes.reason !== null && (
            <span className="hidden text-soft md:inline">
              {drips.reasons[attributes.reason as keyof typeof drips.reasons] ?? attributes.reason}
            </span>
          )}
        </span>
      ),
    },
    { name: words.step, cell: ({ attributes }) => nameOf(attributes.step), wideOnly: true },
    { name: words.version, cell: ({ attributes }) => attributes.version, align: 'right', wideOnly: true },
    { name: words.entered, cell: ({ attributes }) => <When at={attributes.entered_at} />, wideOnly: true },
    {
      name: words.next,
      cell: ({ attributes }) => (attributes.due_at === null ? '–' : <When at={attributes.due_at} />),
      wideOnly: true,
    },
  ];
  const isFiltered = state !== undefined || step !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={words.state}>
          <Select value={state ?? ''} onChange={(event) => filter('state', event.target.value)}>
            <option value="">{words.states.all}</option>
            {(['active', 'completed', 'exited'] as const).map((each) => (
              <option key={each} value={each}>
                {words.states[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.step} className="max-w-72">
          <Select value={step ?? ''} onChange={(event) => filter('step', event.target.value)}>
            <option value="">{words.anyStep}</option>
            {all.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <span className="grow" />
        <Button icon={CircleHelp} onClick={() => setDialog('explain')}>
          {words.whyNot}
        </Button>
        {isRunning && (
          <Button look="primary" icon={UserPlus} onClick={() => setDialog('enrol')}>
            {words.enrol}
          </Button>
        )}
      </div>
      <RunningJobs onFinished={rows.refetch} />
      <Table
        label={words.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={Users} title={words.emptyTitle}>
            {isFiltered ? words.emptyFilter : drip.attributes.state === 'draft' ? words.emptyDraft : words.empty}
          </Empty>
        }
      />
      {open !== null && <PersonDialog enrolment={open} onClose={() => setOpen(null)} />}
      {dialog === 'enrol' && <EnrolDialog onClose={() => setDialog(null)} />}
      {dialog === 'explain' && <ExplainDialog onClose={() => setDialog(null)} />}
    </div>
  );
}
