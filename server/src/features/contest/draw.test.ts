import { describe, expect, it } from 'vitest';
import { CALIBRATIONS, DrawFault, JUDGES_EACH, conflictOf, draw, hangsTogether } from './draw.ts';
import type { Judge, Paper } from './draw.ts';

const judge = (id: number, school = `单位${id}`): Judge => ({ id, userId: 1000 + id, name: `评委${id}`, school });
const paper = (id: number, more: Partial<Paper> = {}): Paper => ({
  id,
  schools: ['甲大学'],
  users: [id],
  tutor: null,
  ...more,
});
const PANEL = Array.from({ length: 20 }, (_, at) => judge(at + 1));
const PAPERS = Array.from({ length: 60 }, (_, at) => paper(at + 1));

describe('who must not judge', () => {
  it.each([
    ['a member', paper(1, { users: [1003] }), '成员'],
    ['somebody of the same institution, however it is written', paper(1, { schools: ['单位 3'] }), '同一单位'],
    ['the tutor', paper(1, { tutor: '评委3' }), '指导教师'],
  ])('%s', (_, entry, words) => {
    expect(conflictOf(entry, judge(3))).toContain(words);
    expect(conflictOf(entry, judge(4))).toBeNull();
  });
});

describe('the draw', () => {
  it('gives each paper three judges, the first two papers all of them, and hangs together', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { pairs } = draw(PAPERS, PANEL, seed);
      const common = new Set(pairs.filter((pair) => pair.isCalibration).map((pair) => pair.paper));
      expect(common.size).toBe(CALIBRATIONS);
      for (const { id } of PAPERS) {
        const own = pairs.filter((pair) => pair.paper === id).map((pair) => pair.judge);
        expect(own).toHaveLength(common.has(id) ? PANEL.length : JUDGES_EACH);
        expect(new Set(own).size).toBe(own.length);
      }
      const loads = PANEL.map(({ id }) => pairs.filter((pair) => pair.judge === id).length);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
      expect(hangsTogether(pairs)).toBe(true);
    }
  });

  it('is the same for the same seed, and another for another', () => {
    expect(draw(PAPERS, PANEL, 7)).toEqual(draw(PAPERS, PANEL, 7));
    expect(draw(PAPERS, PANEL, 7).pairs).not.toEqual(draw(PAPERS, PANEL, 8).pairs);
  });

  it('never gives a paper to its own institution, and stays even as far as that allows', () => {
    const papers = PAPERS.map((one) => ({ ...one, schools: [`单位${(one.id % 5) + 1}`] }));
    const { pairs } = draw(papers, PANEL, 3);
    for (const { paper: id, judge: by } of pairs)
      expect(
        conflictOf(
          papers.find((one) => one.id === id)!,
          PANEL.find((one) => one.id === by)!,
        ),
      ).toBeNull();
  });

  it('tells of a paper that three judges may not score', () => {
    const panel = [judge(1, '甲大学'), judge(2), judge(3)];
    expect(() => draw(PAPERS, panel, 1)).toThrow(DrawFault);
  });
});
