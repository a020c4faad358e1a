import { useMay } from '../../session/session.ts';
import { Choice } from '../../ui/field.tsx';
import { words } from '../../words/settings/team.ts';

export type TeamRole = 'owner' | 'admin' | 'editor' | 'reader';

const ROLES: readonly TeamRole[] = ['reader', 'editor', 'admin', 'owner'];

/** The roles that the person who is signed in may give, each with what it allows. */
export function RoleChoice({ value, onChange }: { value: TeamRole; onChange(role: TeamRole): void }) {
  const isOwner = useMay('owner');
  const options = ROLES.filter((role) => isOwner || role !== 'owner').map((role) => ({
    value: role,
    label: words.roles[role] ?? role,
    hint: words.roleHints[role],
  }));
  return <Choice legend={words.role} value={value} options={options} onChange={onChange} />;
}
