/** The three agreements. Drafts until a lawyer has read them, and they say so; what the operator has not filled in is marked. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';

import { siteQuery } from '../../lib/site.ts';
import styles from './legal-page.module.css';
import agreement from './legal/agreement.md?raw';
import privacy from './legal/privacy.md?raw';
import terms from './legal/terms.md?raw';
import { frontMatter, sectionsOf, withoutFrontMatter } from '../../ui/prose/markdown.ts';
import { Prose } from '../../ui/prose/prose.tsx';

export function TermsPage() {
  return <Legal source={terms} />;
}

export function PrivacyPage() {
  return <Legal source={privacy} />;
}

export function AgreementPage() {
  return <Legal source={agreement} />;
}

/** What stands in for a value only the operator can give. */
const NAMES: Record<string, string> = {
  company: '运营方名称',
  address: '地址',
  credit_code: '统一社会信用代码',
  hotline: '电话',
  feedback_mail: '反馈邮箱',
  complaint_mail: '投诉邮箱',
  privacy_mail: '隐私邮箱',
  privacy_officer: '个人信息保护负责人',
  region: '存放地区',
  court: '管辖法院',
  genai_filing: '生成式人工智能备案号',
  effective_at: '生效日期',
  updated_at: '更新日期',
};

const OPEN = '〔';
const CLOSE = '未设置〕';

/** Fills in the version and what is known of the operator; everything else is named and marked as not set. */
export function fillPlaceholders(
  text: string,
  version: string,
  operator: Readonly<Record<string, string | null>> = {},
): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'version') return version;
    const value = operator[name] ?? '';
    if (value !== '') return value;
    return `${OPEN}${NAMES[name] ?? ''}${CLOSE}`;
  });
}

function markUnset(html: string): string {
  return html.replaceAll(OPEN, `<mark>${OPEN}`).replaceAll(CLOSE, `${CLOSE}</mark>`);
}

function Legal({ source }: { source: string }) {
  const company = useQuery(siteQuery).data?.company;
  const operator: Record<string, string | null> = company
    ? { company: company.name, address: company.address, hotline: company.hotline, feedback_mail: company.mail }
    : {};
  const text = fillPlaceholders(withoutFrontMatter(source), frontMatter(source, 'version'), operator);
  const sections = sectionsOf(text);
  return (
    <div className={styles['page']}>
      <nav aria-label="目录" className={styles['contents']}>
        {sections.map((section, place) =>
          section.title === '' ? null : (
            <a key={section.title} href={`#s${place}`}>
              {section.title}
            </a>
          ),
        )}
        <Button size="small" onClick={() => print()}>
          打印
        </Button>
      </nav>
      <article>
        {sections.map((section, place) => (
          <section key={section.title} id={`s${place}`}>
            <Prose
              text={section.title === '' ? section.text : `## ${section.title}\n${section.text}`}
              mark={markUnset}
            />
          </section>
        ))}
      </article>
    </div>
  );
}
