/** Every act of the desk by its name. */
import type { Act } from '../act.ts';
import type { Context } from '../context.ts';
import { contentActs } from './content.ts';
import { contestActs } from './contest.ts';
import { cooperationActs } from './cooperation.ts';
import { creditActs } from './credits.ts';
import { enterpriseActs } from './enterprises.ts';
import { feedbackActs } from './feedback.ts';
import { moneyActs } from './money.ts';
import { peopleActs } from './people.ts';
import { questActs } from './quests.ts';
import { settingsActs } from './settings.ts';
import { safetyActs } from './safety.ts';
import { shopActs } from './shop.ts';
import { systemActs } from './system.ts';
import { yearEndActs } from './year-end.ts';

export type Acts = ReadonlyMap<string, Act>;

export function allActs(context: Context): Acts {
  const parts = [
    peopleActs,
    moneyActs,
    shopActs,
    contentActs,
    creditActs,
    questActs,
    feedbackActs,
    cooperationActs,
    contestActs,
    yearEndActs,
    safetyActs,
    systemActs,
    enterpriseActs,
    settingsActs,
  ];
  return new Map(parts.flatMap((part) => part(context)).map((act) => [act.act, act]));
}
