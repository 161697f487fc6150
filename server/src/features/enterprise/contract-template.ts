/** The contract of a corporate transfer as a Word file: filled for an order, with lines to write on without one. */
import { chineseAmount } from '@hengxi/contracts/chinese-amount';
import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { dayOf } from '../../lib/clock.ts';
import { TEMPLATE_VERSION } from './contracts.ts';

export interface Filled {
  enterprise: string;
  creditCode: string | null;
  orderNo: string;
  title: string;
  seats: number;
  from: Date;
  to: Date;
  /** Fen. */
  total: number;
}

export interface Seller {
  company: string;
  bank: string;
  account: string;
}

const LINE = '＿＿＿＿＿＿＿＿＿＿';
const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`;

const CLAUSES = [
  '甲方向乙方订购上表所列企业版席位，在服务期限内使用衡析在线统计分析平台。',
  '甲方应在下单之日起三十日内，将合同金额一次性汇至乙方收款账户，汇款金额须与合同金额一致，并在附言中填写订单页所示的备注码。',
  '乙方核对到账后开通席位；服务期限以订单页显示为准。席位增加按剩余天数计价，减少自下一期起生效。',
  '甲方在企业空间产生的数据归甲方所有；服务到期后数据至少保留一百八十天，期间可以导出。',
  '本模板为示例文本，双方签署前应由各自法务审阅。未尽事宜由双方协商解决。',
];

export async function contractTemplate(seller: Seller, filled: Filled | null): Promise<Buffer> {
  const rows: [string, string][] = [
    ['甲方（订购方）', filled?.enterprise ?? LINE],
    ['统一社会信用代码', filled?.creditCode ?? LINE],
    ['乙方（服务方）', seller.company],
    ['订单号', filled?.orderNo ?? LINE],
    ['服务内容', filled?.title ?? '企业版席位'],
    ['席位数', filled ? `${filled.seats} 个` : LINE],
    ['服务期限', filled ? `${dayOf(filled.from)} 至 ${dayOf(filled.to)}` : LINE],
    ['合同金额（小写）', filled ? yuan(filled.total) : LINE],
    ['合同金额（大写）', filled ? `人民币${chineseAmount(filled.total)}` : LINE],
    ['乙方开户行', seller.bank],
    ['乙方账号', seller.account],
  ];
  const font = { ascii: 'Times New Roman', eastAsia: 'SimSun', hAnsi: 'Times New Roman' };
  const paragraph = (text: string, more = {}): Paragraph => new Paragraph({ spacing: { after: 120 }, text, ...more });
  const document = new Document({
    creator: '衡析',
    title: '企业版服务订购合同',
    styles: { default: { document: { run: { font, size: 22 } } } },
    sections: [
      {
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [
                  new TextRun(`模板版本 ${TEMPLATE_VERSION}　第 `),
                  new TextRun({ children: [PageNumber.CURRENT] }),
                  new TextRun(' 页'),
                ],
              }),
            ],
          }),
        },
        children: [
          new Paragraph({
            heading: HeadingLevel.TITLE,
            alignment: AlignmentType.CENTER,
            spacing: { after: 320 },
            children: [new TextRun({ text: '企业版服务订购合同', font, bold: true, size: 36, color: '000000' })],
          }),
          new Table({
            width: { size: 100, type: WidthType.PERCENTAGE },
            columnWidths: [2800, 6200],
            rows: rows.map(
              ([name, value]) =>
                new TableRow({
                  cantSplit: true,
                  children: [name, value].map(
                    (text, at) =>
                      new TableCell({
                        width: { size: at === 0 ? 2800 : 6200, type: WidthType.DXA },
                        margins: { top: 80, bottom: 80, left: 120, right: 120 },
                        children: [new Paragraph({ text })],
                      }),
                  ),
                }),
            ),
          }),
          paragraph('', {}),
          ...CLAUSES.map((text, at) => paragraph(`${at + 1}. ${text}`)),
          paragraph('', {}),
          paragraph('甲方（盖章）：＿＿＿＿＿＿＿＿　　　　乙方（盖章）：＿＿＿＿＿＿＿＿'),
          paragraph('日期：＿＿＿＿年＿＿月＿＿日　　　　日期：＿＿＿＿年＿＿月＿＿日'),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
