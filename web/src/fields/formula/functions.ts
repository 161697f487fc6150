/** The functions people use in formulas, with what they do; the engine knows them all and judges the rest. */

export interface FormulaFunction {
  name: string;
  /** Arguments as they are written. */
  args: string;
  text: string;
}

export const FUNCTION_GROUPS: readonly { title: string; functions: readonly FormulaFunction[] }[] = [
  {
    title: '多个变量',
    functions: [
      { name: 'MEAN', args: 'x, y, …', text: '每行的均值，缺失的不算；MEAN.3 至少要 3 个有效值' },
      { name: 'SUM', args: 'x, y, …', text: '每行的和，缺失的不算' },
      { name: 'MIN', args: 'x, y, …', text: '每行的最小值' },
      { name: 'MAX', args: 'x, y, …', text: '每行的最大值' },
      { name: 'MEDIAN', args: 'x, y, …', text: '每行的中位数' },
      { name: 'SD', args: 'x, y, …', text: '每行的标准差' },
      { name: 'NVALID', args: 'x, y, …', text: '每行有几个有效值' },
      { name: 'NMISS', args: 'x, y, …', text: '每行缺失几个' },
    ],
  },
  {
    title: '条件与缺失',
    functions: [
      { name: 'IF', args: '条件, 值1, 值2', text: '满足条件取值1，否则取值2' },
      { name: 'MISSING', args: 'x', text: '是否缺失' },
      { name: 'NVL', args: 'x, 值', text: '缺失时用这个值代替' },
      { name: 'BETWEEN', args: 'x, 低, 高', text: '是否在两值之间（含两端）' },
      { name: 'CONTAINS', args: '文本, "词"', text: '文本里是否有这个词' },
      { name: 'VALUE', args: 'x', text: '原来的取值，设为缺失的编码也算取值' },
      { name: 'REPEATED', args: 'x, y, …', text: '前面是否已有一行在这些变量上完全相同，都缺失也算相同' },
    ],
  },
  {
    title: '数学',
    functions: [
      { name: 'LN', args: 'x', text: '自然对数，x 要大于 0' },
      { name: 'LOG10', args: 'x', text: '以 10 为底的对数' },
      { name: 'EXP', args: 'x', text: 'e 的 x 次方' },
      { name: 'SQRT', args: 'x', text: '平方根' },
      { name: 'ABS', args: 'x', text: '绝对值' },
      { name: 'ROUND', args: 'x, 位数', text: '四舍五入到几位小数' },
      { name: 'FLOOR', args: 'x', text: '向下取整' },
      { name: 'CEIL', args: 'x', text: '向上取整' },
      { name: 'MOD', args: 'x, y', text: 'x 除以 y 的余数' },
      { name: 'POWER', args: 'x, y', text: 'x 的 y 次方，也可写 x ^ y' },
    ],
  },
  {
    title: '日期与次序',
    functions: [
      { name: 'YEAR', args: '日期', text: '年份' },
      { name: 'MONTH', args: '日期', text: '月份' },
      { name: 'WEEKDAY', args: '日期', text: '星期几，1 是星期一' },
      { name: 'DATEDIFF', args: '日期1, 日期2', text: '日期1 减日期2 的天数' },
      { name: 'LAG', args: 'x, 行数', text: '前几行的值' },
      { name: 'DIFF', args: 'x', text: '比上一行增加多少' },
      { name: 'RANK', args: 'x', text: '名次，1 最小，并列取平均' },
      { name: 'CUMSUM', args: 'x', text: '从第一行起的累计和' },
    ],
  },
  {
    title: '文本',
    functions: [
      { name: 'LEN', args: '文本', text: '字数' },
      { name: 'LEFT', args: '文本, 字数', text: '左边几个字' },
      { name: 'RIGHT', args: '文本, 字数', text: '右边几个字' },
      { name: 'MID', args: '文本, 起点, 字数', text: '从第几个字起取几个字' },
      { name: 'CONCAT', args: '文本1, 文本2, …', text: '连接几段文本' },
      { name: 'NUMBER', args: '文本', text: '把文本读成数，也读 1,234、12%、3万、（5）' },
      { name: 'DATEVALUE', args: '文本', text: '把文本读成日期，也读 20240405、April 5, 2024' },
    ],
  },
];

export const FUNCTIONS: readonly FormulaFunction[] = FUNCTION_GROUPS.flatMap((group) => group.functions);
