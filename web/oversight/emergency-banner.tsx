import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWrite } from '../api/query.ts';
import { loadSession, queries, useMay, useSession } from '../session/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { tellProblem } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';

const words = all.banner;
const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const BAR = 'flex flex-wrap items-center justify-between gap-3 bg-bad-soft px-4 py-2 text-sm text-bad';

/** That emergency access is open, above every page, for as long as it is. */
export function EmergencyBanner() {
  const session = useSession();
  const emergency = session?.emergency ?? null;
  const until = emergency?.until ?? null;
  const acting = emergency?.acting === true;
  useEffect(() => {
    if (until === null) return undefined;
    const over = () => {
      if (acting) queries.clear(); // what was read is not for the operator's own pages
      void loadSession();
    };
    const timer = setTimeout(over, Math.max(1_000, Date.parse(until) - Date.now()));
    return () => clearTimeout(timer);
  }, [until, acting]);
  if (emergency === null) return null;
  const time = TIME.format(new Date(emergency.until));
  return emergency.acting ? <Acting customer={session?.customer?.name ?? ''} time={time} /> : <Open time={time} />;
}

function Acting({ customer, time }: { customer: string; time: string }) {
  const navigate = useNavigate();
  const goBack = async () => {
    queries.clear();
    // Whether the session has ended is asked at once, however long the page takes that is gone to.
    await Promise.all([navigate({ to: '/operator/emergency' }), loadSession()]);
  };
  const leave = useWrite('leaveBreakGlass', {
    onDone: () => void goBack().catch(tellProblem),
    onFail: tellProblem,
  });
  return (
    <div role="note" className={BAR} data-print="no">
      <div>
        <p className="font-semibold">{words.acting(customer, time)}</p>
        <p>{words.actingLead}</p>
      </div>
      <Button busy={leave.isPending} onClick={() => leave.mutate({})}>
        {words.leave}
      </Button>
    </div>
  );
}

function Open({ time }: { time: string }) {
  const mayLook = useMay('admin');
  return (
    <div role="note" className={BAR} data-print="no">
      <div>
        <p className="font-semibold">{words.open(time)}</p>
        <p>{words.openLead}</p>
      </div>
      {mayLook && <ButtonLink to="/settings/emergency">{words.look}</ButtonLink>}
    </div>
  );
}
