/** The list of files. On a phone each row becomes two lines. */
import { EllipsisOutlined } from '@ant-design/icons';
import type { FileRow } from '@hengxi/server/files/schema';
import { Button, type MenuProps, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { formatCount, formatInstant, formatWhen } from '../../lib/format-size.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { FormatIcon } from './format-icon.tsx';
import styles from './file-table.module.css';
import { VariableTypesBar } from './variable-types-bar.tsx';

export interface FileActions {
  onRename: (file: FileRow) => void;
  onExport: (file: FileRow) => void;
  onBin: (file: FileRow) => void;
}

interface FileTableProps extends FileActions {
  files: readonly FileRow[];
  /** Rows of files on their way in, above the others. */
  children?: ReactNode;
}

export function FileTable({ files, children, ...actions }: FileTableProps) {
  return (
    <table className={styles['table']}>
      <caption className="hx-hidden">我的数据</caption>
      <thead>
        <tr>
          <th scope="col">名称</th>
          <th scope="col" className={styles['number']}>
            行 × 列
          </th>
          <th scope="col">变量构成</th>
          <th scope="col">数据体检</th>
          <th scope="col" className={styles['number']}>
            分析
          </th>
          <th scope="col">更新</th>
          <th scope="col">
            <span className="hx-hidden">操作</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {children}
        {files.map((file) => (
          <FileLine key={file.fid} file={file} {...actions} />
        ))}
      </tbody>
    </table>
  );
}

function FileLine({ file, onRename, onExport, onBin }: FileActions & { file: FileRow }) {
  const navigate = useNavigate();
  const detail = `/mydata/detail/${file.vid}`;
  const copyLabel = useMe()?.identity === 2 ? '复制到个人空间' : '复制到企业';
  const items: MenuProps['items'] = [
    { key: 'rename', label: '重命名', onClick: () => onRename(file) },
    { key: 'variables', label: '变量与标签', onClick: () => void navigate(`${detail}?tab=variables`) },
    { key: 'report', label: '导入报告', onClick: () => void navigate(`${detail}?tab=import`) },
    { key: 'export', label: '导出', onClick: () => onExport(file) },
    { key: 'copy', label: copyLabel, onClick: () => prompts.openCopy({ name: file.name, files: [file.fid] }) },
    { type: 'divider' },
    { key: 'bin', label: '删除', danger: true, onClick: () => onBin(file) },
  ];
  return (
    <tr>
      <th scope="row" className={styles['name']}>
        <div>
          <FormatIcon format={file.format} />
          <Link to={detail} className={styles['title']}>
            {file.name}
          </Link>
          <Tooltip title={`${file.versions} 个版本，原始数据不会被改动`}>
            <span className={styles['version']}>v{file.number}</span>
          </Tooltip>
          {file.example ? <span className={styles['version']}>示例</span> : null}
        </div>
      </th>
      <td className={styles['number']} data-label="行 × 列">
        {formatCount(file.rows)} × {formatCount(file.columns)}
      </td>
      <td data-label="变量构成">
        <VariableTypesBar makeup={file.makeup} />
      </td>
      <td data-label="数据体检">
        <HealthCell file={file} />
      </td>
      <td className={styles['number']} data-label="分析">
        {file.reports > 0 ? file.reports : '–'}
      </td>
      <td className={styles['when']} data-label="更新">
        <time dateTime={file.updated_at} title={formatInstant(file.updated_at)}>
          {formatWhen(file.updated_at)}
        </time>
      </td>
      <td className={styles['actions']}>
        <Link to={`/analysis/index?vid=${file.vid}`}>分析</Link>
        <Link to={detail}>查看</Link>
        <DropMenu menu={{ items }} placement="bottomRight">
          <Button
            type="text"
            size="small"
            icon={<EllipsisOutlined aria-hidden />}
            aria-label={`${file.name} 的更多操作`}
          />
        </DropMenu>
      </td>
    </tr>
  );
}

function HealthCell({ file }: { file: FileRow }) {
  if (file.findings === 0) {
    return (
      <span className={styles['health']}>
        <CheckMark state="pass" /> 无问题
      </span>
    );
  }
  const text = file.findings === 1 && file.finding ? file.finding : `${file.findings} 处待看`;
  return (
    <Tooltip title={file.finding}>
      <Link to={`/mydata/detail/${file.vid}?tab=overview`} className={styles['health']}>
        <CheckMark state="care" /> <span>{text}</span>
      </Link>
    </Tooltip>
  );
}
