/** What a claim says was found, in words, Chinese and English; `sentence.ts` reads the facts for it from the table. */
import type { Claim } from '../../generated/contract.ts';

export interface Words {
  zh: string;
  en: string;
}

/** What a row says of its claim; null where the table or the form does not show it. */
export interface Finding {
  about: Claim['about'];
  significant: boolean;
  outcome: string | null;
  outcomeOfRole: string | null;
  by: string | null;
  first: string | null;
  second: string | null;
  against: string | null;
  term: string | null;
}

/** Null: the claim is named by its test alone. */
export function findingWords(finding: Finding): Words | null {
  const { about, significant, outcome, outcomeOfRole, by, first, second, against, term } = finding;
  const has = significant ? '有' : '没有';
  const not = significant ? '' : 'not ';
  const differ = significant ? 'differed' : 'did not differ';
  switch (about) {
    case 'groups':
      if (outcome === null) return null;
      return {
        zh: `“${outcome}”在${by === null ? '' : `“${by}”`}各组间的差异${has}统计学意义`,
        en: `“${outcome}” ${differ} significantly between the groups${by === null ? '' : ` of “${by}”`}`,
      };
    case 'pair':
      if (first === null || second === null) return null;
      return {
        zh: `“${first}”与“${second}”${outcome === null ? '' : `的“${outcome}”`}差异${has}统计学意义`,
        en: `“${first}” and “${second}” ${differ} significantly${outcome === null ? '' : ` in “${outcome}”`}`,
      };
    case 'paired':
      if (first === null || second === null) return null;
      return {
        zh: `“${first}”与“${second}”的差异${has}统计学意义`,
        en: `“${first}” and “${second}” ${differ} significantly`,
      };
    case 'value':
    case 'distribution': {
      if (outcome === null || against === null) return null;
      const what = about === 'value' ? '' : '的分布';
      return {
        zh: `“${outcome}”${what}与${against}的差异${has}统计学意义`,
        en: `${what === '' ? '' : 'The distribution of '}“${outcome}” ${differ} significantly from ${against}`,
      };
    }
    case 'association':
      return associated(by, outcomeOfRole, significant);
    case 'correlation':
      return first === null || second === null ? null : correlated(first, second, significant);
    case 'trend':
      if (outcome === null || by === null) return null;
      return {
        zh: `“${outcome}”随“${by}”的变化趋势${has}统计学意义`,
        en: `“${outcome}” showed ${significant ? 'a' : 'no'} significant trend over “${by}”`,
      };
    case 'agreement':
      if (first === null || second === null)
        return {
          zh: `评价者之间的一致性${has}统计学意义`,
          en: `The raters ${significant ? 'agreed' : 'did not agree'} significantly beyond chance`,
        };
      return {
        zh: `“${first}”与“${second}”的一致性${has}统计学意义`,
        en: `“${first}” and “${second}” ${significant ? 'agreed' : 'did not agree'} significantly beyond chance`,
      };
    case 'model':
      return {
        zh: `${outcome === null ? '' : `以“${outcome}”为因变量的`}模型${has}统计学意义`,
        en: `The model${outcome === null ? '' : ` for “${outcome}”`} was ${not}statistically significant`,
      };
    case 'coefficient': {
      if (term === null || outcome === null) return null;
      return {
        zh: `“${term}”与“${outcome}”的关联${has}统计学意义`,
        en: `“${term}” was ${not}significantly associated with “${outcome}”`,
      };
    }
    case 'named':
      return null;
    default: {
      const unknown: never = about;
      return unknown;
    }
  }
}

function associated(by: string | null, other: string | null, significant: boolean): Words | null {
  if (by === null || other === null) return null;
  return {
    zh: `“${by}”与“${other}”的关联${significant ? '有' : '没有'}统计学意义`,
    en: `“${by}” and “${other}” were ${significant ? '' : 'not '}significantly associated`,
  };
}

export function correlated(a: string, b: string, significant: boolean): Words {
  return {
    zh: `“${a}”与“${b}”的相关${significant ? '有' : '没有'}统计学意义`,
    en: `“${a}” and “${b}” were ${significant ? '' : 'not '}significantly correlated`,
  };
}
