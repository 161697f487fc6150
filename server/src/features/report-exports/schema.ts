/** A report, or several of a project, as one document for other programs. */
import { DETAIL_LEVELS } from '@hengxi/contracts/report/detail-level';
import { TABLE_STYLES } from '@hengxi/contracts/report/table-style';
import { z } from 'zod';

export const REPORT_FORMATS = ['docx', 'pdf', 'xlsx', 'html', 'figures', 'package'] as const;
export const ReportFormat = z.enum(REPORT_FORMATS);
export type ReportFormat = z.infer<typeof ReportFormat>;

export const FIGURE_FORMATS = ['png', 'tiff', 'svg', 'pdf'] as const;
export const FIGURE_WIDTHS = [85, 140, 180] as const;
export const FIGURE_DPI = [300, 600] as const;

const Line = z.string().trim().max(100, '最多 100 个字').default('');

/** A format looks at its own options only. */
export const ExportOptions = z.strictObject({
  /** Tables of docx, pdf, html. */
  style: z.enum(TABLE_STYLES).default('three'),
  /** Pictures of docx, and figures as png or tiff. */
  dpi: z.union([z.literal(300), z.literal(600)]).default(300),
  /** figures: as what, and how wide in millimetres. */
  figure: z.enum(FIGURE_FORMATS).default('png'),
  mm: z.union([z.literal(85), z.literal(140), z.literal(180)]).default(140),
  /** docx, pdf, html: what one hands in, or all that was computed. The other formats hold everything. */
  extent: z.enum(DETAIL_LEVELS).default('main'),
  /** Ids of the elements to write, besides them sample, method, note; null = all that the presentation shows. */
  blocks: z.array(z.string().max(200)).max(1000).nullable().default(null),
  /** docx, pdf: a first page with these lines; null = none. */
  cover: z.strictObject({ school: Line, author: Line }).nullable().default(null),
  /** docx: 目录. */
  contents: z.boolean().default(false),
  /** docx, pdf: at the head of every page. */
  header: Line,
  /** package: with the cells of the variables looked at. */
  data: z.boolean().default(true),
});
export type ExportOptions = z.infer<typeof ExportOptions>;

export const ReportExportBody = z.strictObject({
  format: ReportFormat,
  options: ExportOptions.default(() => ExportOptions.parse({})),
  /** Of a single report: the revision looked at. */
  rev: z.number().int().positive().max(2_147_483_647).optional(),
});
export type ReportExportBody = z.infer<typeof ReportExportBody>;

export const PROJECT_REPORTS = 50;

export const ProjectExportBody = z.strictObject({
  format: ReportFormat,
  options: ExportOptions.default(() => ExportOptions.parse({})),
  /** In this order, one chapter each. */
  reports: z
    .array(z.number().int().positive().max(2_147_483_647))
    .min(1, '请选择报告')
    .max(PROJECT_REPORTS, `一次最多导出 ${PROJECT_REPORTS} 份报告`),
});
export type ProjectExportBody = z.infer<typeof ProjectExportBody>;

export const COMBINED_MODELS = 6;

export const CombineOptions = z.strictObject({
  below: z.enum(['se', 'ci']),
  odds: z.boolean(),
  stars: z.enum(['usual', 'economics', 'none']),
});
export type CombineOptions = z.infer<typeof CombineOptions>;

/** Regressions of a project in one table of a workbook; `rev` null: as the report is shown. */
export const CombineExportBody = z.strictObject({
  models: z
    .array(
      z.strictObject({
        rid: z.number().int().positive().max(2_147_483_647),
        rev: z.number().int().positive().max(2_147_483_647).nullable(),
      }),
    )
    .min(2, '请选择两个以上的模型')
    .max(COMBINED_MODELS, `一次最多合并 ${COMBINED_MODELS} 个模型`),
  options: CombineOptions,
});
export type CombineExportBody = z.infer<typeof CombineExportBody>;
