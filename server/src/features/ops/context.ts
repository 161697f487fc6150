/** What the desk works with: the services of the features, never their tables. */
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Outbox } from '../../lib/outbox.ts';
import type { Campaigns } from '../campaigns/service.ts';
import type { Contests } from '../contest/service.ts';
import type { Cooperation } from '../cooperation/service.ts';
import type { HelpFeedback } from '../help-feedback/service.ts';
import type { Credits } from '../credits/service.ts';
import type { Enterprises } from '../enterprise/service.ts';
import type { Files } from '../files/service.ts';
import type { Feedbacks } from '../feedback/service.ts';
import type { Mall } from '../mall/service.ts';
import type { Membership } from '../membership/service.ts';
import type { Nps } from '../nps/service.ts';
import type { Orders } from '../orders/service.ts';
import type { Points } from '../points/service.ts';
import type { Quests } from '../quests/service.ts';
import type { Reports } from '../reports/service.ts';
import type { Runs } from '../runs/service.ts';
import type { YearEnd } from '../year-end/service.ts';
import type { Cell } from './schema.ts';

export interface Context {
  db: Db;
  keys: Keys;
  clock: Clock;
  membership: Membership;
  points: Points;
  orders: Orders;
  campaigns: Campaigns;
  centre: { credits: Credits; quests: Quests; mall: Mall };
  /** How many things in each book do not agree; none should. */
  books: () => Promise<Record<string, number>>;
  outbox: Outbox;
  enterprises: Pick<Enterprises, 'contracts' | 'desk'>;
  contests: Contests;
  cooperation: Cooperation;
  feedbacks: Feedbacks;
  files: Pick<Files, 'library'>;
  helpFeedback: Pick<HelpFeedback, 'queue'>;
  nps: Pick<Nps, 'answers' | 'scores'>;
  reports: Pick<Reports, 'shareDesk'>;
  runs: Pick<Runs, 'desk' | 'cancel'>;
  yearEnd: Pick<YearEnd, 'desk'>;
  /** What the machines say: database, engine, disk, queue; one line each. */
  health: () => Promise<{ part: string; state: string; note: Cell }[]>;
}

/** Ids in addresses and bodies are text: what is no number names nothing. */
export const idOf = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
