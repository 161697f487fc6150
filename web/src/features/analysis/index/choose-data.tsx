/** No data is current: choose a file, upload one, or try an example. */
import { useQuery } from '@tanstack/react-query';
import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { findableFilesQuery } from '../../../lib/catalogue.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import styles from './choose-data.module.css';

const SHOWN = 6;

export interface ChooseDataProps {
  onChoose: (vid: number) => void;
  /** Makes the example of the method on the card; null while none is chosen. */
  onExample: (() => void) | null;
}

export function ChooseData({ onChoose, onExample }: ChooseDataProps) {
  const navigate = useNavigate();
  const files = useQuery(findableFilesQuery);
  const list = files.data?.list ?? [];
  if (files.isPending) return <div className={styles['wait']} />;
  const upload = () => void navigate('/mydata/index');
  if (list.length === 0) {
    return (
      <div className={styles['empty']}>
        <EmptyState
          art
          title="还没有数据"
          hint="上传一个 csv、Excel、SPSS、Stata 或 SAS 文件，或用示例数据走一遍。"
          actions={
            <>
              <Button icon={<UploadOutlined />} onClick={upload}>
                上传数据
              </Button>
              {onExample === null ? null : <Button onClick={onExample}>用示例数据</Button>}
            </>
          }
        />
      </div>
    );
  }
  return (
    <section className={styles['choose']} aria-label="选择数据">
      <div className={styles['head']}>
        <h2>先选一份数据</h2>
        <button type="button" className="hx-link" onClick={upload}>
          上传新的
        </button>
      </div>
      <ul className={styles['list']}>
        {list.slice(0, SHOWN).map((file) => (
          <li key={file.fid}>
            <button type="button" className={styles['file']} onClick={() => onChoose(file.vid)}>
              <strong>{file.name}</strong>
              <span>
                {file.rows.toLocaleString('zh-CN')} 行 × {file.columns} 列
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
