/** 码表: every code with its key and how often it stands; a click gives it to the answer at hand. */
import { EditOutlined, FilterOutlined, MoreOutlined, PlusOutlined } from '@ant-design/icons';
import type { Code, Coding } from '@hengxi/server/answer-coding/schema';
import { Button, Input } from 'antd';
import { useState } from 'react';

import { DropMenu } from '../../ui/drop-menu.tsx';
import styles from './coding.module.css';
import { keysOf, shownCodes } from './keys.ts';

interface CodePanelProps {
  coding: Coding;
  /** Codes all answers at hand hold. */
  held: ReadonlySet<number>;
  filtered: number | null;
  onToggle: (code: number) => void;
  onFilter: (code: number | null) => void;
  onEdit: (code: Code) => void;
  onAdd: (name: string) => Promise<void>;
  onDraft: () => void;
  onImport: () => void;
  onExport: () => void;
  onRestore: () => void;
}

export function CodePanel(props: CodePanelProps) {
  const { coding, onDraft, onImport, onExport, onRestore } = props;
  const shown = shownCodes(coding.codes);
  const keys = keysOf(coding.codes);
  const gone = coding.codes.filter((one) => one.gone).length;
  const items = [
    { key: 'draft', label: '起草码表…', onClick: onDraft },
    { key: 'import', label: '导入码表…', onClick: onImport },
    { key: 'export', label: '导出码表', onClick: onExport },
    ...(gone > 0 ? [{ key: 'gone', label: `已删除的编码（${gone}）…`, onClick: onRestore }] : []),
  ];
  return (
    <section aria-label="码表" className={styles['panel']}>
      <div className={styles['panelHead']}>
        <h2>码表</h2>
        <span className={styles['quiet']}>第 {coding.book_version} 版</span>
        <DropMenu menu={{ items }}>
          <Button size="small" type="text" icon={<MoreOutlined aria-hidden />} aria-label="码表的更多操作" />
        </DropMenu>
      </div>
      <ul className={styles['codes']}>
        {shown.map((code, i) => (
          <CodeLine
            key={code.id}
            {...props}
            code={code}
            hotkey={keys.get(code.id)}
            heading={code.kind === 'plain' && code.group !== (shown[i - 1]?.group ?? '') ? code.group : null}
            isFirstFixed={code.kind !== 'plain' && shown[i - 1]?.kind === 'plain'}
          />
        ))}
      </ul>
      <NewCode onAdd={props.onAdd} />
    </section>
  );
}

interface CodeLineProps extends CodePanelProps {
  code: Code;
  hotkey: string | undefined;
  heading: string | null;
  isFirstFixed: boolean;
}

function CodeLine({ coding, code, hotkey, heading, isFirstFixed, held, filtered, ...acts }: CodeLineProps) {
  const counts = coding.counts.find((one) => one.code === code.id);
  const share = coding.progress.rows > 0 ? (counts?.rows ?? 0) / coding.progress.rows : 0;
  return (
    <>
      {heading ? <li className={styles['heading']}>{heading}</li> : null}
      <li className={styles['code']} data-held={held.has(code.id) || undefined} data-apart={isFirstFixed || undefined}>
        <button
          type="button"
          className={styles['give']}
          aria-pressed={held.has(code.id)}
          title={code.definition || undefined}
          onClick={() => acts.onToggle(code.id)}
        >
          <kbd>{hotkey?.toUpperCase() ?? ''}</kbd>
          <span className={styles['codeName']}>{code.name}</span>
          <span className={styles['count']}>
            {(counts?.rows ?? 0).toLocaleString('en-US')}
            {counts?.suggested ? (
              <small title="还没有决定的建议"> +{counts.suggested.toLocaleString('en-US')}</small>
            ) : null}
          </span>
          <span className={styles['bar']} style={{ inlineSize: `${Math.round(share * 100)}%` }} aria-hidden />
        </button>
        <span className={styles['tools']}>
          <Button
            size="small"
            type={filtered === code.id ? 'primary' : 'text'}
            icon={<FilterOutlined aria-hidden />}
            aria-label={`只看${code.name}`}
            aria-pressed={filtered === code.id}
            onClick={() => acts.onFilter(filtered === code.id ? null : code.id)}
          />
          <Button
            size="small"
            type="text"
            icon={<EditOutlined aria-hidden />}
            aria-label={`修改${code.name}`}
            onClick={() => acts.onEdit(code)}
          />
        </span>
      </li>
    </>
  );
}

function NewCode({ onAdd }: { onAdd: (name: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const [isAdding, setAdding] = useState(false);
  const add = async (): Promise<void> => {
    if (name.trim() === '') return;
    setAdding(true);
    try {
      await onAdd(name.trim());
      setName('');
    } finally {
      setAdding(false);
    }
  };
  return (
    <form
      className={styles['newCode']}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Input
        value={name}
        maxLength={30}
        placeholder="新编码的名称"
        aria-label="新编码的名称"
        onChange={(event) => setName(event.target.value)}
      />
      <Button htmlType="submit" icon={<PlusOutlined aria-hidden />} loading={isAdding} disabled={name.trim() === ''}>
        新建
      </Button>
    </form>
  );
}
