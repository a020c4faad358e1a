import { useUser } from '../../../session/session.ts';
import { words } from '../../../words/forms/submission.ts';
import { useTeam } from '../team.ts';

/** What somebody is called who did something, by the kind and id that the server has of them. */
export function useWho(): (kind: string, id: string) => string {
  const me = useUser();
  const { nameOf } = useTeam();
  return (kind, id) => {
    if (kind === 'key') return words.apiKey;
    if (kind === 'recipient') return words.recipient;
    if (kind !== 'user') return words.someone;
    return id === me.id ? words.you : (nameOf(id) ?? words.someone);
  };
}
