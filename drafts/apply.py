import re
R='/tmp/long_sentences/'
def edit(p,pairs):
    s=open(R+p,encoding='utf-8').read()
    for a,b in pairs:
        if b in s: continue
        assert s.count(a)==1,(p,s.count(a),a[:60])
        s=s.replace(a,b)
    open(R+p,'w',encoding='utf-8').write(s)
edit('_toc.yml',[('      - file: book/ablations\n','      - file: book/ablations\n      - file: book/long_sentences\n')])
edit('book/index.md',[('in three times eighteen runs.\n','in three times eighteen runs. [The cost of n squared](long_sentences.ipynb): cheaper ways to attend, what they save and what they lose.\n')])
terms={
'feature map (of linear attention)':('**특징 맵**, also 특성 사상','The function of a query and of a key whose products take the place of the exponential.'),
'grouped-query attention':('**그룹 쿼리 어텐션**, also GQA','Attention in which groups of heads share keys and values.'),
'kernel (program)':('**커널**','One program for a whole computation, which keeps what it needs in fast memory.'),
'linear attention':('**선형 어텐션**','Attention whose weights are products, so that its cost grows with the length and not with its square.'),
'multi-query attention':('**멀티 쿼리 어텐션**, also MQA','Attention in which all heads share one set of keys and values.'),
'non-autoregressive':('**비자기회귀**','Writing all tokens at once, none from those before.'),
'online softmax':('**온라인 소프트맥스**','A softmax put together from the blocks of a row.'),
'tile':('**타일**','A block of queries with a block of keys, whose scores are computed and forgotten together.'),
'window (of tokens)':('**윈도**, also 윈도우','The neighbours that a token may look at.'),
}
p=R+'book/glossary.md'
s=open(p,encoding='utf-8').read()
i=s.index('```{glossary}\n')+len('```{glossary}\n'); j=s.index('```',i)
blocks=[b for b in s[i:j].strip('\n').split('\n\n') if 'long_sentences.ipynb' not in b]
for t,(k,d) in terms.items():
    blocks.append(f"{t}\n  {k}. {d} [The cost of n squared](long_sentences.ipynb)")
blocks.sort(key=lambda b:b.split('\n')[0].lower().replace('-',' ').replace('/',' '))
s=s[:i]+'\n\n'.join(blocks)+'\n'+s[j:]
open(p,'w',encoding='utf-8').write(s)
s=open(R+'CHANGELOG.md').read()
if '*The cost of n squared*' not in s:
    lines=s.split("\n")
    i=next(k for k,l in enumerate(lines) if l.startswith("- *Table 3 in miniature*"))
    j=i+1
    while lines[j].startswith("  "): j+=1
    lines[j:j]='''- *The cost of n squared*: attention in tiles, in windows, linear, with shared keys, timed in one run from 64 to 16,384
  tokens; six theorems (the crossing with the feed-forward network, merging blocks of a softmax, windows, the recurrence
  of linear attention, what a fixed state can recall, the price of independent tokens); what each way loses, four ways to
  tell positions at twice the length, and `variants/all_at_once.py`, a decoder that writes all tokens in one pass.'''.split("\n")
    s="\n".join(lines)
open(R+'CHANGELOG.md','w').write(s)
