import { Link } from '@tanstack/react-router';
import { Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { allRows } from '../ui/rows.ts';
import { type Column, Table } from '../ui/table.tsx';
import { words as all } from '../words/oversight.ts';
import { AddIncident } from './add-incident.tsx';
import { type Place, usePlace } from './place.ts';

type Line = Reply<'listIncidents'>['data'][number];

const words = all.incidents;
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
export const STATE_TONES: Record<Line['state'], Tone> = { open: 'bad', contained: 'warn', closed: 'good' };

/** What went wrong, and how long there is to tell of it. */
export function IncidentsPage() {
  const { incidents, isInstallation } = usePlace();
  const read = useRead(incidents.list, {});
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={words.title} lead={isInstallation ? words.operatorLead : words.lead} actions={add}>
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.label}
            columns={columnsFor(incidents.one)}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={
              <Empty icon={TriangleAlert} title={words.empty}>
                {words.emptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {adding && <AddIncident onClose={() => setAdding(false)} />}
    </Page>
  );
}

function columnsFor(one: Place['incidents']['one']): Column<Line>[] {
  return [
    {
      name: words.columns.discovered,
      cell: ({ id, discovered_at: at }) => (
        <Link to={one} params={{ incidentId: id }} className="text-brand underline-offset-2 hover:underline">
          {DAY.format(new Date(at))}
        </Link>
      ),
    },
    { name: words.columns.severity, wideOnly: true, cell: ({ severity }) => words.severities[severity] },
    {
      name: words.columns.state,
      width: '7rem',
      cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>,
    },
    {
      name: words.columns.left,
      cell: ({ state, days_left: days }) => state !== 'closed' && words.left(days),
    },
  ];
}
