import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay, useUser } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/team.ts';
import { InvitePerson } from './invite-person.tsx';
import { MemberMenu } from './member-menu.tsx';

export type Member = Reply<'listTeam'>['data'][number];

const STATE_TONES = { active: 'good', invited: 'info', removed: 'plain' } as const;

/** Who works here. */
export function TeamPage() {
  const read = useRead('listTeam', {});
  const mayManage = useMay('admin');
  const [inviting, setInviting] = useState(false);
  const [withRemoved, setWithRemoved] = useState(false);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayManage && (
          <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <TeamTable members={data} withRemoved={withRemoved} onShowRemoved={setWithRemoved} mayManage={mayManage} />
        )}
      </Loaded>
      {inviting && <InvitePerson onClose={() => setInviting(false)} />}
    </Page>
  );
}

interface TeamTableProps {
  members: readonly Member[];
  withRemoved: boolean;
  onShowRemoved(shown: boolean): void;
  mayManage: boolean;
}

function TeamTable({ members, withRemoved, onShowRemoved, mayManage }: TeamTableProps) {
  const { id: ownId } = useUser();
  const removed = members.filter(({ state }) => state === 'removed').length;
  const shown = members.filter(({ state }) => withRemoved || state !== 'removed');
  const columns: Column<Member>[] = [
    {
      name: words.columns.who,
      cell: ({ id, name, email, role }) => (
        <span className="flex min-w-0 flex-col leading-tight">
          <span className="truncate font-medium">
            {name || email} {id === ownId && <span className="font-normal text-soft">({words.you})</span>}
          </span>
          {name !== '' && <span className="hidden truncate text-xs text-soft md:inline">{email}</span>}
          <span className="truncate text-xs text-soft md:hidden">{words.roles[role] ?? role}</span>
        </span>
      ),
    },
    { name: words.columns.role, width: '6rem', wideOnly: true, cell: ({ role }) => words.roles[role] ?? role },
    {
      name: words.columns.state,
      width: '6rem',
      cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>,
    },
    { name: words.columns.lastSignIn, wideOnly: true, cell: ({ last_sign_in_at: at }) => <When at={at} /> },
    {
      name: words.columns.factor,
      wideOnly: true,
      cell: ({ has_factor: has }) => (has ? words.factorYes : <span className="text-soft">{words.factorNo}</span>),
    },
    { name: words.columns.keys, wideOnly: true, align: 'right', cell: ({ keys }) => keys.toLocaleString('en') },
  ];
  if (mayManage)
    columns.push({
      name: words.columns.actions,
      width: '3rem',
      align: 'right',
      cell: (member) => member.id !== ownId && member.state !== 'removed' && <MemberMenu member={member} />,
    });
  return (
    <div className="flex flex-col gap-3">
      <Table label={words.label} columns={columns} rows={allRows(shown)} keyOf={({ id }) => id} empty={null} />
      {removed > 0 && (
        <Checkbox
          label={words.showRemoved(removed)}
          checked={withRemoved}
          onChange={(event) => onShowRemoved(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
