import { Navigate } from '@tanstack/react-router';
import { useRead } from '../api/query.ts';
import { useSession, useUser } from '../session/session.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { words } from '../words/home.ts';
import { AttentionList } from './attention-list.tsx';
import { Checklist } from './checklist.tsx';
import { SevenDays } from './seven-days.tsx';

const POLL_MS = 60_000;

/** Where everybody begins; whoever runs the server begins with its health. */
export function HomePage() {
  return useUser().role === 'operator' ? <Navigate to="/operator/health" replace /> : <CustomerHome />;
}

function CustomerHome() {
  const read = useRead('readHome', {}, { pollMs: POLL_MS, anew: true });
  const name = useSession()?.customer?.name ?? '';
  return (
    <Page title={words.title} lead={words.lead(name)}>
      <Loaded read={read}>
        {({ attention, days, checklist }) => (
          <>
            {!checklist.dismissed && <Checklist checklist={checklist} />}
            <AttentionList attention={attention} />
            <SevenDays days={days} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
