/** The bar over a report: where one is, whether it is up to date, and what can be done. One filled button: 分享. */
import {
  CheckOutlined,
  EditOutlined,
  EllipsisOutlined,
  ExportOutlined,
  HistoryOutlined,
  InfoCircleOutlined,
  LockOutlined,
  ShareAltOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { Button, type MenuProps } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { PRESENTATION, type Presentation } from '@hengxi/contracts/report/presentation';
import { isModel } from '@hengxi/contracts/report/models';
import { hasRows } from '@hengxi/contracts/report/sample';
import { copyReport } from './export-report.ts';
import type { OpenReport, Place } from './queries.ts';
import styles from './report-bar.module.css';
import { percentOf } from './pending-reports.tsx';
import type { Freshness } from './use-freshness.ts';
import type { Going } from './use-report-run.ts';
import type { ReportActions } from './use-report-actions.ts';

export interface ReportBarProps {
  report: OpenReport;
  place: Place;
  freshness: Freshness;
  /** A newer result that is being computed. */
  going: Going | null;
  acts: ReportActions;
  settingsUrl: string;
  presentation: Presentation | undefined;
  onOpen: (what: 'history' | 'share' | 'outline' | 'origin' | 'export' | 'combine' | 'compare') => void;
}

export function ReportBar({
  report,
  place,
  freshness,
  going,
  acts,
  settingsUrl,
  presentation = PRESENTATION,
  onOpen,
}: ReportBarProps) {
  const navigate = useNavigate();
  const isLost = report.vid === null && hasRows(report.document.sample);
  return (
    <div className={styles['bar']} role="toolbar" aria-label="报告">
      <nav className={styles['crumbs']} aria-label="位置">
        <Link to="/mydata/index" className={styles['crumb']}>
          我的数据
        </Link>
        {report.vid === null ? null : (
          <Link to={`/analysis/result/${report.vid}?project_id=${place.project_id}`} className={styles['crumb']}>
            {report.file_name ?? '报告'}
          </Link>
        )}
        <b className={styles['here']} aria-current="page">
          {report.title}
        </b>
        {going === null ? <Badge report={report} freshness={freshness} acts={acts} /> : <Recomputed going={going} />}
      </nav>
      <div className={styles['actions']}>
        <Button
          type="text"
          className={styles['narrow'] ?? ''}
          icon={<UnorderedListOutlined aria-hidden />}
          onClick={() => onOpen('outline')}
        >
          目录
        </Button>
        <Button
          type="text"
          className={styles['middle'] ?? ''}
          icon={<InfoCircleOutlined aria-hidden />}
          onClick={() => onOpen('origin')}
        >
          来历
        </Button>
        <Button type="text" icon={<HistoryOutlined aria-hidden />} onClick={() => onOpen('history')}>
          历史
        </Button>
        <Button
          type="text"
          className={styles['wide'] ?? ''}
          icon={<EditOutlined aria-hidden />}
          disabled={isLost}
          title={isLost ? '所用的数据已删除' : undefined}
          onClick={() => void navigate(settingsUrl)}
        >
          修改设置
        </Button>
        <ExportMenu report={report} presentation={presentation} onExport={() => onOpen('export')} />
        <Button type="primary" icon={<ShareAltOutlined aria-hidden />} onClick={() => onOpen('share')}>
          分享
        </Button>
        <MoreMenu report={report} acts={acts} onOpen={onOpen} />
      </div>
    </div>
  );
}

/** Why the report is faded, and how far its successor is. */
function Recomputed({ going }: { going: Going }) {
  const percent = percentOf(going.progress);
  return (
    <span className={`${styles['badge']} ${styles['quiet']}`} role="status">
      {going.state === 'waiting' ? '排队等待重新计算' : '正在重新计算'}
      {percent === null ? '' : ` ${percent}%`}
    </span>
  );
}

function Badge({ report, freshness, acts }: { report: OpenReport; freshness: Freshness; acts: ReportActions }) {
  const { state, made, head } = freshness;
  if (report.frozen) {
    return (
      <span className={`${styles['badge']} ${styles['quiet']}`}>
        <LockOutlined aria-hidden /> 已冻结{made === null ? '' : `，数字来自 v${made}`}
      </span>
    );
  }
  if (state === 'same' && head !== null) {
    return (
      <span className={`${styles['badge']} ${styles['same']}`}>
        <CheckOutlined aria-hidden /> 与 v{head.number} 一致
      </span>
    );
  }
  if (state === 'stale' && head !== null) {
    return (
      <span className={`${styles['badge']} ${styles['stale']}`}>
        <CheckMark state="care" decorative />{' '}
        {made === head.number ? '已过期，筛选、加权、分层或方法有改动' : `已过期，数据现为 v${head.number}`}
        <button type="button" className="hx-link" onClick={acts.update} disabled={acts.updating}>
          {acts.updating ? '更新中' : '更新'}
        </button>
      </span>
    );
  }
  return state === 'gone' ? <span className={`${styles['badge']} ${styles['quiet']}`}>数据已删除</span> : null;
}

interface ExportMenuProps {
  report: OpenReport;
  presentation: Presentation;
  onExport: () => void;
}

function ExportMenu({ report, presentation, onExport }: ExportMenuProps) {
  const items: MenuProps['items'] = [
    { key: 'file', label: '导出文件：Word、PDF、Excel、图片等' },
    { key: 'copy', label: '复制整份报告' },
    { key: 'print', label: '打印' },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    if (key === 'file') onExport();
    else if (key === 'print') window.print();
    else void copyReport(report, presentation);
  };
  return (
    <DropMenu menu={{ items, onClick }} placement="bottomRight">
      <Button icon={<ExportOutlined aria-hidden />}>导出</Button>
    </DropMenu>
  );
}

function MoreMenu({ report, acts, onOpen }: Pick<ReportBarProps, 'report' | 'acts' | 'onOpen'>) {
  const [renaming, setRenaming] = useState<'no' | 'open' | 'working'>('no');
  const [deleting, setDeleting] = useState(false);
  const items: MenuProps['items'] = [
    { key: 'rename', label: '重命名' },
    { key: 'pin', label: report.pinned ? '取消固定' : '固定在列表最前' },
    { key: 'freeze', label: report.frozen ? '解除冻结' : '冻结数字' },
    { type: 'divider' },
    { key: 'compare', label: '与其他结果对比' },
    { key: 'transfer', label: useMe()?.identity === 2 ? '复制到个人空间' : '复制到企业' },
    ...(isModel(report.document) ? [{ key: 'combine', label: '合并多个模型' }] : []),
    { type: 'divider' },
    { key: 'delete', label: '删除报告', danger: true },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    if (key === 'rename') setRenaming('open');
    else if (key === 'pin') acts.pin(!report.pinned);
    else if (key === 'combine' || key === 'compare') onOpen(key);
    else if (key === 'transfer') prompts.openCopy({ name: report.title, reports: [report.rid] });
    else if (key === 'freeze') acts.freeze(!report.frozen);
    else setDeleting(true);
  };
  const rename = (name: string): void => {
    setRenaming('working');
    acts.rename(name).then(
      () => setRenaming('no'),
      () => setRenaming('open'),
    );
  };
  return (
    <>
      <DropMenu menu={{ items, onClick }} placement="bottomRight">
        <Button type="text" icon={<EllipsisOutlined aria-hidden />} aria-label="更多：重命名、固定、冻结、对比、删除" />
      </DropMenu>
      <RenameDialog
        open={renaming !== 'no'}
        value={report.title}
        max={100}
        working={renaming === 'working'}
        onSave={rename}
        onClose={() => setRenaming('no')}
      />
      <ConfirmDialog
        open={deleting}
        title="删除这份报告"
        text={`“${report.title}”会移到回收站，30 天内可以恢复。已发出的分享链接会停止。`}
        act="删除"
        danger
        onAct={acts.remove}
        onClose={() => setDeleting(false)}
      />
    </>
  );
}
