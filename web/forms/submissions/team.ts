import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';

export type Member = Reply<'listTeam'>['data'][number];

/** The people of the customer: who may have submissions, and what each is called. */
export function useTeam(): { assignable: readonly Member[]; nameOf(id: string): string | null } {
  const members = useRead('listTeam', {}).data?.data ?? [];
  const byId = new Map(members.map((member) => [member.id, member]));
  return {
    assignable: members.filter(({ state, role }) => state !== 'removed' && role !== 'reader'),
    nameOf: (id) => {
      const member = byId.get(id);
      return member === undefined ? null : member.name || member.email;
    },
  };
}
