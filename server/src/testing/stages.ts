/** What most files of tests begin with: a fresh product before each test, and in it a person, a file, a report. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { build } from './build.ts';
import type { World } from './build.ts';
import { makePerson } from './makers.ts';
import type { Person } from './makers.ts';
import { makeFile, makeReport, teachEngine } from './tables.ts';

export interface PersonStage {
  world: World;
  person: Person;
}

export interface FileStage extends PersonStage {
  fid: number;
  vid: number;
}

export interface ReportStage extends FileStage {
  pid: number;
  rid: number;
}

/** `set` puts on the stage what else a test finds there. */
function stageOf<Stage extends PersonStage>(
  set: (stage: PersonStage) => Promise<Omit<Stage, keyof PersonStage>>,
): Stage {
  const stage: Partial<PersonStage> = {};
  beforeAll(async () => {
    stage.world = await build();
  });
  beforeEach(async () => {
    const world = stage.world!;
    await world.reset();
    Object.assign(stage, { person: await makePerson(world) });
    Object.assign(stage, await set(stage as PersonStage));
  });
  afterAll(() => stage.world?.close());
  // Filled before a test begins.
  return stage as Stage;
}

export const personStage = (): PersonStage => stageOf<PersonStage>(async () => ({}));

const ownFile = async ({ world, person }: PersonStage) => {
  teachEngine(world);
  const { fid, vid } = await makeFile(world, person);
  return { fid, vid };
};

export const fileStage = (): FileStage => stageOf<FileStage>(ownFile);

export const reportStage = (): ReportStage =>
  stageOf<ReportStage>(async (stage) => {
    const file = await ownFile(stage);
    const { project_id: pid, report_id: rid } = await makeReport(stage.world, stage.person, file.vid);
    return { ...file, pid, rid };
  });

export interface ClockStage {
  world: World;
  /** What the product takes for now; null: what the clock says. */
  now: Date | null;
}

/** A product whose clock a test can set. */
export function clockStage(): ClockStage {
  const stage: Partial<ClockStage> = { now: null };
  beforeAll(async () => {
    stage.world = await build({ clock: async () => stage.now ?? new Date() });
  });
  beforeEach(async () => {
    stage.now = null;
    await stage.world!.reset();
  });
  afterAll(() => stage.world?.close());
  return stage as ClockStage;
}
