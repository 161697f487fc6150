/** The list of saved chains: search, pages, the bin, import of a file, and what can be done with each. */
import type { FieldFault } from '@hengxi/contracts/http';
import { DeleteOutlined, MoreOutlined, SearchOutlined, UploadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Pagination } from 'antd';
import { useDeferredValue, useRef, useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { formatWhen } from '../../lib/format-size.ts';
import { quoted } from '../../lib/quoted.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { DescribeDialog } from './describe-dialog.tsx';
import {
  copyRecipe,
  downloadRecipe,
  importRecipe,
  PAGE_SIZE,
  recipesQuery,
  refreshRecipes,
  removeRecipe,
  restoreRecipe,
  type SavedRecipe,
} from './queries.ts';
import styles from './recipes.module.css';

const MOST_BYTES = 4_000_000;
const MOST_LETTERS = 1_000_000;

interface Trouble {
  text: string;
  fields: readonly FieldFault[];
}

export function RecipeListView({ onUse }: { onUse: (recipe: SavedRecipe) => void }) {
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState(1);
  const [bin, setBin] = useState(false);
  const sought = useDeferredValue(keyword.trim());
  const list = useQuery(recipesQuery({ keyword: sought, page, bin }));
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [describing, setDescribing] = useState<SavedRecipe | null>(null);
  const [ending, setEnding] = useState<SavedRecipe | null>(null);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      await refreshRecipes();
    } catch {
      // Said by the client already.
    }
  };
  const takeBack = ({ id }: SavedRecipe): Promise<void> =>
    attempt(async () => {
      const { name } = await restoreRecipe(id);
      toast.done(`已恢复${quoted(name)}`);
    });
  const remove = (recipe: SavedRecipe): Promise<void> =>
    attempt(async () => {
      await removeRecipe(recipe.id);
      toast.done(`已把${quoted(recipe.name)}移到回收站`, {
        action: { text: '撤销', run: () => void takeBack(recipe) },
      });
    });
  const take = async (file: File): Promise<void> => {
    setTrouble(null);
    const text = file.size > MOST_BYTES ? null : await file.text();
    if (text === null || text.length > MOST_LETTERS) {
      setTrouble({ text: '这个文件太大，不是流程文件（最多 100 万个字）', fields: [] });
      return;
    }
    try {
      const { name } = await importRecipe(text);
      await refreshRecipes();
      toast.done(`已导入${quoted(name)}`);
      setBin(false);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields.filter(({ code }) => code === 'recipe.text') : [];
      setTrouble({ text: errorText(error), fields });
    }
  };
  const turn = (to: boolean): void => {
    setBin(to);
    setPage(1);
    setTrouble(null);
  };
  return (
    <div className={styles['drawer']}>
      <div className={styles['bar']}>
        <Input
          allowClear
          className={styles['search'] ?? ''}
          aria-label="搜索常用流程"
          placeholder="搜索名称和说明"
          maxLength={200}
          prefix={<SearchOutlined aria-hidden />}
          value={keyword}
          onChange={(event) => {
            setKeyword(event.target.value);
            setPage(1);
          }}
        />
        <ImportButton onFile={(file) => void take(file)} />
        <Button
          type={bin ? 'primary' : 'default'}
          ghost={bin}
          icon={<DeleteOutlined aria-hidden />}
          aria-pressed={bin}
          onClick={() => turn(!bin)}
        >
          回收站
        </Button>
      </div>
      {trouble === null ? null : (
        <div role="alert" className={styles['trouble']}>
          {trouble.fields.length > 1 ? (
            <>
              <p>这个文件不能导入，有 {trouble.fields.length} 处不对：</p>
              <ul>
                {trouble.fields.map(({ text }) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </>
          ) : (
            <p>{trouble.text}</p>
          )}
          <button type="button" className="hx-link" onClick={() => setTrouble(null)}>
            知道了
          </button>
        </div>
      )}
      {bin ? <p className={styles['hint']}>回收站里的流程保留 30 天。</p> : null}
      <Loaded query={list}>
        {({ total, list: recipes }) =>
          recipes.length === 0 ? (
            <Nothing bin={bin} keyword={sought} onAll={() => setKeyword('')} />
          ) : (
            <>
              <ul className={styles['list']} aria-label={bin ? '回收站里的流程' : '常用流程'}>
                {recipes.map((recipe) => (
                  <li key={recipe.id} className={styles['item']}>
                    <div className={styles['facts']}>
                      <p className={styles['name']}>{recipe.name}</p>
                      {recipe.note === '' ? null : <p className={styles['note']}>{recipe.note}</p>}
                      <p className={styles['when']}>
                        <span>{recipe.size} 步</span>
                        {recipe.author === null ? null : <span>{recipe.author}</span>}
                        <span>{whenOf(recipe)}</span>
                      </p>
                    </div>
                    {bin ? (
                      <div className={styles['acts']}>
                        <Button size="small" aria-label={`恢复“${recipe.name}”`} onClick={() => void takeBack(recipe)}>
                          恢复
                        </Button>
                        <Button
                          size="small"
                          danger
                          aria-label={`彻底删除“${recipe.name}”`}
                          onClick={() => setEnding(recipe)}
                        >
                          彻底删除
                        </Button>
                      </div>
                    ) : (
                      <div className={styles['acts']}>
                        <Button
                          size="small"
                          type="primary"
                          aria-label={`套用“${recipe.name}”`}
                          onClick={() => onUse(recipe)}
                        >
                          套用
                        </Button>
                        <DropMenu
                          placement="bottomRight"
                          menu={{
                            items: [
                              { key: 'describe', label: '名称和说明', onClick: () => setDescribing(recipe) },
                              {
                                key: 'copy',
                                label: '复制一份',
                                onClick: () =>
                                  void attempt(async () => {
                                    const { name } = await copyRecipe(recipe.id);
                                    toast.done(`已复制为${quoted(name)}`);
                                  }),
                              },
                              {
                                key: 'file',
                                label: '导出为文件',
                                onClick: () => void attempt(() => downloadRecipe(recipe.id)),
                              },
                              { type: 'divider' },
                              { key: 'remove', danger: true, label: '删除', onClick: () => void remove(recipe) },
                            ],
                          }}
                        >
                          <Button
                            size="small"
                            type="text"
                            icon={<MoreOutlined aria-hidden />}
                            aria-label={`“${recipe.name}”的更多操作`}
                          />
                        </DropMenu>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
              {total > PAGE_SIZE ? (
                <Pagination
                  size="small"
                  align="end"
                  current={page}
                  pageSize={PAGE_SIZE}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
      {describing === null ? null : <DescribeDialog recipe={describing} onClose={() => setDescribing(null)} />}
      <ConfirmDialog
        open={ending !== null}
        title="彻底删除"
        text={`${quoted(ending?.name ?? '')}删除后不能恢复。用它处理过的数据不受影响。`}
        act="彻底删除"
        danger
        onClose={() => setEnding(null)}
        onAct={() => {
          if (ending !== null) void attempt(async () => void (await removeRecipe(ending.id, true)));
          setEnding(null);
        }}
      />
    </div>
  );
}

function whenOf({ deleted_at, used_at, updated_at }: SavedRecipe): string {
  if (deleted_at !== null) return `${formatWhen(deleted_at)} 删除`;
  return used_at === null ? `${formatWhen(updated_at)} 保存` : `${formatWhen(used_at)} 用过`;
}

function Nothing({ bin, keyword, onAll }: { bin: boolean; keyword: string; onAll: () => void }) {
  if (keyword !== '')
    return (
      <EmptyState
        title={`没有找到${quoted(keyword)}`}
        hint="搜索的是流程的名称和说明。"
        actions={<Button onClick={onAll}>看全部</Button>}
      />
    );
  if (bin) return <EmptyState title="回收站是空的" />;
  return (
    <EmptyState
      title="还没有常用流程"
      hint="处理好一份数据后，在步骤列表里点“保存为常用流程”，下次就能一次套用到新的数据上。也可以导入别人给的流程文件。"
    />
  );
}

function ImportButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json"
        aria-label="选择流程文件"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again after it was mended.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => input.current?.click()}>
        导入文件
      </Button>
    </>
  );
}
