import { KeyRound, MailPlus, ShieldCheck, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/settings/team.ts';
import { ChangeRole } from './change-role.tsx';
import { InvitedNotice } from './invited-notice.tsx';
import type { Member } from './page.tsx';
import { RemoveMember } from './remove-member.tsx';
import { ResetFactors } from './reset-factors.tsx';

/** What can be done about somebody of the team. */
export function MemberMenu({ member }: { member: Member }) {
  const [open, setOpen] = useState<'role' | 'reset' | 'remove' | null>(null);
  const isOwner = useMay('owner');
  const again = useWrite('inviteMemberAgain', { stale: ['listTeam'] });
  const who = member.name || member.email;
  if (member.role === 'owner' && !isOwner) return null;
  const items: MenuItem[] = [{ label: words.changeRole, icon: ShieldCheck, onSelect: () => setOpen('role') }];
  if (member.state === 'invited')
    items.push({
      label: words.inviteAgain,
      icon: MailPlus,
      onSelect: () => again.mutate({ params: { id: member.id } }, { onError: tellProblem }),
    });
  if (isOwner && member.has_factor)
    items.push({ label: words.resetFactors, icon: KeyRound, onSelect: () => setOpen('reset') });
  items.push({ label: words.remove, icon: UserMinus, danger: true, onSelect: () => setOpen('remove') });
  const close = () => setOpen(null);
  return (
    <>
      <Menu label={words.actionsFor(who)} items={items} />
      {again.data !== undefined && <InvitedNotice who={who} url={again.data.setup_url} onClose={() => again.reset()} />}
      {open === 'role' && <ChangeRole member={member} onClose={close} />}
      {open === 'reset' && <ResetFactors member={member} onClose={close} />}
      {open === 'remove' && <RemoveMember member={member} onClose={close} />}
    </>
  );
}
