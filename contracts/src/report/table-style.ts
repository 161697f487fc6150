/** How tables look outside the page: rules in points, captions, alignment. Word, HTML and PDF read the same numbers. */
export const TABLE_STYLES = ['three', 'apa', 'medical', 'plain', 'screen'] as const;
export type TableStyle = (typeof TABLE_STYLES)[number];

export interface TableLook {
  /** Rules in points: outer, below the head, under spanners and above totals. */
  rules: { outer: number; head: number; part: number };
  /** Light lines between the rows of the body. */
  lines: boolean;
  caption: 'centred' | 'two lines' | 'left';
  /** Heads bold, and over numbers centred or at the right like the numbers. */
  boldHead: boolean;
  centredHead: boolean;
}

export const LOOKS: Readonly<Record<TableStyle, TableLook>> = {
  three: {
    rules: { outer: 1.5, head: 0.75, part: 0.75 },
    lines: false,
    caption: 'centred',
    boldHead: true,
    centredHead: false,
  },
  apa: {
    rules: { outer: 0.75, head: 0.75, part: 0.5 },
    lines: false,
    caption: 'two lines',
    boldHead: false,
    centredHead: true,
  },
  medical: {
    rules: { outer: 1.5, head: 0.75, part: 0.75 },
    lines: false,
    caption: 'centred',
    boldHead: false,
    centredHead: true,
  },
  plain: {
    rules: { outer: 0.75, head: 0.5, part: 0.5 },
    lines: false,
    caption: 'left',
    boldHead: false,
    centredHead: false,
  },
  screen: {
    rules: { outer: 1, head: 0.75, part: 0.5 },
    lines: true,
    caption: 'left',
    boldHead: true,
    centredHead: false,
  },
};

export const STYLE_NAMES: Readonly<Record<TableStyle, string>> = {
  three: '三线表',
  apa: 'APA 7',
  medical: '医学',
  plain: '简洁',
  screen: '与页面一致',
};
