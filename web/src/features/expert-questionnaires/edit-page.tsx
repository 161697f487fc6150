/** /pro-analysis/edit/{pid}: what is asked, how it is decided, and publishing. */
import { ABOUT } from '@hengxi/server/expert-questionnaires/schema';
import type { Content, Project, Protocol } from '@hengxi/server/expert-questionnaires/schema';
import { Alert, Button, Checkbox, Input, InputNumber, Select, Switch } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { toast } from '../../lib/toast.ts';
import { saveFile } from '../../report/clipboard.ts';
import table from '../../ui/plain-table.module.css';
import { ProjectFrame } from './frame.tsx';
import { ItemEditor } from './item-editor.tsx';
import styles from './pro.module.css';
import { dueAfter, publish, saveProject } from './queries.ts';
import { fileOf } from './templates.ts';
import { AlternativeEditor, pairCount, TreeEditor } from './tree-editor.tsx';
import { ABOUT_NAMES, ASKS, DESIGNS, freshId, RULE_NAMES } from './words.ts';

const SECONDS_A_PAIR = 12;

export function EditPage() {
  return (
    <ProjectFrame>{(project) => <Editor key={`${project.id}-${project.revision}`} project={project} />}</ProjectFrame>
  );
}

function Editor({ project }: { project: Project }) {
  const [title, setTitle] = useState(project.title);
  const [content, setContent] = useState<Content>(project.content);
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(14);
  const [isWorking, setIsWorking] = useState(false);
  const navigate = useNavigate();
  const isDraft = project.state === 'draft';
  const isOpen = isDraft || project.state === 'between';
  const set = (part: Partial<Content>): void => setContent({ ...content, ...part });
  const save = () => saveProject(project.id, { title, content, revision: project.revision, reason });
  const work = async (act: () => Promise<void>): Promise<void> => {
    setIsWorking(true);
    try {
      await act();
    } finally {
      setIsWorking(false);
    }
  };
  const pairs = pairCount(content);
  return (
    <fieldset disabled={!isOpen} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      {isOpen ? null : (
        <Alert type="info" showIcon title="本轮正在收集或项目已结束，问卷内容不能修改。" style={{ marginTop: 16 }} />
      )}
      <Section id="about" title="说明与知情同意">
        <Field label="名称">
          <Input aria-label="名称" value={title} maxLength={60} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Text
          label="研究背景（专家作答前看到）"
          value={content.background}
          onChange={(background) => set({ background })}
        />
        <Text label="知情同意书" value={content.consent} onChange={(consent) => set({ consent })} />
        <Field label="组织者与联系方式">
          <Input
            aria-label="组织者与联系方式"
            maxLength={200}
            value={content.organiser}
            onChange={(event) => set({ organiser: event.target.value })}
          />
        </Field>
      </Section>
      {project.kind === 'delphi' ? (
        <Section id="items" title={`指标（${content.items.length}）`}>
          <ItemEditor items={content.items} onChange={(items) => set({ items })} />
        </Section>
      ) : (
        <>
          <Section id="tree" title="层次结构">
            <p className={styles['quiet']}>
              共 {pairs} 对比较，每位专家约 {Math.max(1, Math.ceil((pairs * SECONDS_A_PAIR) / 60))} 分钟。建议每层不超过
              9 个。
            </p>
            <TreeEditor
              tree={content.tree}
              taken={content.alternatives.map(({ id }) => id)}
              onChange={(tree) => set({ tree })}
            />
          </Section>
          <Section id="alternatives" title="方案（选填）">
            <AlternativeEditor content={content} onChange={(alternatives) => set({ alternatives })} />
          </Section>
        </>
      )}
      <Section id="rules" title="规则">
        <Rules kind={project.kind} protocol={content.protocol} onChange={(protocol) => set({ protocol })} />
      </Section>
      {isDraft ? null : (
        <Field label="修改原因（写入报告）">
          <Input
            aria-label="修改原因"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
      <div className={styles['acts']} style={{ marginTop: 24 }}>
        <Button
          loading={isWorking}
          onClick={() =>
            void work(async () => {
              await save();
              toast.done('已保存');
            })
          }
        >
          保存
        </Button>
        {isDraft ? (
          <>
            <span className={styles['quiet']}>收集天数</span>
            <InputNumber
              aria-label="收集天数"
              min={1}
              max={365}
              value={days}
              onChange={(value) => setDays(value ?? 14)}
            />
            <Button
              type="primary"
              loading={isWorking}
              onClick={() =>
                void work(async () => {
                  await save();
                  await publish(project.id, dueAfter(days));
                  await navigate(`/pro-analysis/collect/${project.id}`);
                })
              }
            >
              发布并开始收集
            </Button>
            <span className={styles['quiet']}>
              发布后问卷和规则即冻结。<Link to={`/pro-analysis/collect/${project.id}`}>先添加专家</Link>
            </span>
          </>
        ) : null}
      </div>
      <div className={styles['acts']}>
        <Button
          type="link"
          onClick={() => saveFile(`${title}.json`, 'application/json', fileOf({ kind: project.kind, title, content }))}
        >
          导出问卷结构（.json）
        </Button>
      </div>
      {project.versions.length > 0 ? (
        <Section id="versions" title="版本">
          <ul>
            {project.versions.map((one) => (
              <li key={one.number}>
                第 {one.number} 版，{new Date(one.frozen_at).toLocaleString('zh-CN')}：{one.reason}
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </fieldset>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-labelledby={`edit-${id}`}>
      <h2 id={`edit-${id}`}>{title}</h2>
      {children}
    </section>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['field']}>
      <span>{label}</span>
      {children}
    </div>
  );
}

function Text({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      <Input.TextArea
        aria-label={label}
        autoSize={{ minRows: 3, maxRows: 12 }}
        maxLength={5000}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

interface RulesProps {
  kind: Project['kind'];
  protocol: Protocol;
  onChange: (protocol: Protocol) => void;
}

/** Numbers of each rule that can be set. */
const CUTS: Record<Protocol['rule'], { key: 'mean_min' | 'cv_max' | 'agree_percent' | 'iqr_max'; label: string }[]> = {
  mean_cv: [
    { key: 'mean_min', label: '均值下限' },
    { key: 'cv_max', label: '变异系数上限' },
  ],
  boundary_value: [],
  percent_agreement: [{ key: 'agree_percent', label: '赞同比例下限' }],
  rand_ucla: [],
  iqr: [
    { key: 'mean_min', label: '中位数下限' },
    { key: 'iqr_max', label: '四分位距上限' },
  ],
};

function Rules({ kind, protocol, onChange }: RulesProps) {
  const set = (part: Partial<Protocol>): void => onChange({ ...protocol, ...part });
  const count = (label: string, key: 'max_rounds' | 'min_experts' | 'least_shown', min: number) => (
    <Field label={label}>
      <InputNumber
        aria-label={label}
        min={min}
        max={key === 'max_rounds' ? 10 : 50}
        precision={0}
        value={protocol[key]}
        onChange={(value) => set({ [key]: value ?? min })}
      />
    </Field>
  );
  const requires = (
    <Field label="必须全部作答才能提交">
      <span>
        <Switch
          aria-label="必须全部作答才能提交"
          checked={protocol.require_all}
          onChange={(require_all) => set({ require_all })}
        />
      </span>
    </Field>
  );
  const about = (
    <Field label="请专家填写（用于“专家构成”）">
      <Checkbox.Group
        value={protocol.about}
        options={ABOUT.map((value) => ({ value, label: ABOUT_NAMES[value] }))}
        onChange={(chosen) => set({ about: ABOUT.filter((one) => chosen.includes(one)) })}
      />
    </Field>
  );
  if (kind === 'ahp')
    return (
      <div className={styles['fields']}>
        <Field label="比较哪些对">
          <Select
            aria-label="比较哪些对"
            style={{ minWidth: 200 }}
            value={protocol.design}
            options={Object.entries(DESIGNS).map(([value, label]) => ({ value: value as Protocol['design'], label }))}
            onChange={(design) => set({ design })}
          />
        </Field>
        <Field label="CR 上限（超过时提醒复核，不强制）">
          <InputNumber
            aria-label="CR 上限"
            min={0.01}
            max={0.3}
            step={0.01}
            value={protocol.cr_max}
            onChange={(value) => set({ cr_max: value ?? 0.1 })}
          />
        </Field>
        {requires}
        {about}
      </div>
    );
  return (
    <>
      <div className={styles['fields']}>
        <Field label="评分量表">
          <Select
            aria-label="评分量表"
            value={protocol.scale_max}
            options={[3, 4, 5, 6, 7, 8, 9, 10].map((value) => ({ value, label: `1–${value} 分` }))}
            onChange={(scale_max) => set({ scale_max })}
          />
        </Field>
        <Field label="评什么">
          <Select
            aria-label="评什么"
            value={protocol.asks}
            options={Object.entries(ASKS).map(([value, { name }]) => ({
              value: value as Protocol['asks'],
              label: name,
            }))}
            onChange={(asks) => set({ asks })}
          />
        </Field>
        <Field label="筛选标准">
          <Select
            aria-label="筛选标准"
            style={{ minWidth: 180 }}
            value={protocol.rule}
            options={Object.entries(RULE_NAMES).map(([value, label]) => ({ value: value as Protocol['rule'], label }))}
            onChange={(rule) => set({ rule })}
          />
        </Field>
        {CUTS[protocol.rule].map(({ key, label }) => (
          <Field key={key} label={label}>
            <InputNumber
              aria-label={label}
              min={0}
              step={0.05}
              value={protocol[key]}
              onChange={(value) => set({ [key]: value ?? 0 })}
            />
          </Field>
        ))}
      </div>
      <div className={styles['fields']}>
        {count('最多轮数', 'max_rounds', 1)}
        {count('最少专家人数', 'min_experts', 1)}
        {count('少于几份不显示结果', 'least_shown', 3)}
        <Field label="询问判断依据与熟悉程度">
          <span>
            <Switch
              aria-label="询问判断依据与熟悉程度"
              checked={protocol.ask_authority}
              onChange={(ask_authority) => set({ ask_authority })}
            />
          </span>
        </Field>
        {requires}
      </div>
      {about}
      {protocol.ask_authority ? <AuthorityTables protocol={protocol} onChange={set} /> : null}
    </>
  );
}

/** What each judgement basis and each degree of familiarity counts for. */
function AuthorityTables({ protocol, onChange }: { protocol: Protocol; onChange: (part: Partial<Protocol>) => void }) {
  const { ca, cs } = protocol;
  const setBasis = (at: number, part: Partial<Protocol['ca'][number]>): void =>
    onChange({ ca: ca.map((one, k) => (k === at ? { ...one, ...part } : one)) });
  const setDegree = (at: number, part: Partial<Protocol['cs'][number]>): void =>
    onChange({ cs: cs.map((one, k) => (k === at ? { ...one, ...part } : one)) });
  const share = (label: string, value: number, set: (value: number) => void) => (
    <InputNumber
      aria-label={label}
      min={0}
      max={1}
      step={0.1}
      value={value}
      style={{ width: 80 }}
      onChange={(next) => set(next ?? 0)}
    />
  );
  return (
    <details className={styles['field']}>
      <summary>判断依据 Ca 与熟悉程度 Cs 的赋值</summary>
      <p className={styles['quiet']}>
        专家对每项依据选影响大、中、小，各项之和为 Ca（超过 1 记为 1）；权威程度 Cr = (Ca + Cs)/2。
      </p>
      <div className={styles['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">判断依据</th>
              <th scope="col">大</th>
              <th scope="col">中</th>
              <th scope="col">小</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {ca.map((one, at) => (
              <tr key={one.id}>
                <td>
                  <Input
                    aria-label={`判断依据 ${at + 1}`}
                    value={one.name}
                    maxLength={30}
                    onChange={(event) => setBasis(at, { name: event.target.value })}
                  />
                </td>
                <td>{share(`${one.name}，影响大`, one.large, (large) => setBasis(at, { large }))}</td>
                <td>{share(`${one.name}，影响中`, one.medium, (medium) => setBasis(at, { medium }))}</td>
                <td>{share(`${one.name}，影响小`, one.small, (small) => setBasis(at, { small }))}</td>
                <td>
                  <Button
                    type="text"
                    aria-label={`删除判断依据“${one.name}”`}
                    disabled={ca.length < 2}
                    onClick={() => onChange({ ca: ca.filter((other) => other !== one) })}
                  >
                    删除
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <span>
        <Button
          disabled={ca.length >= 8}
          onClick={() =>
            onChange({
              ca: [...ca, { id: freshId(ca.map(({ id }) => id)), name: '其他', large: 0.1, medium: 0.1, small: 0.1 }],
            })
          }
        >
          添加判断依据
        </Button>
      </span>
      <div className={styles['fields']}>
        {cs.map((one, at) => (
          <Field key={at} label={one.name}>
            {share(`熟悉程度“${one.name}”`, one.value, (value) => setDegree(at, { value }))}
          </Field>
        ))}
      </div>
    </details>
  );
}
