"""Planted Python: each snippet carries one item that is real, does not exist, or cannot be known without running it.

Written from the packages' documentation, before the checker saw them. `item` is the name that a finding about the planted
thing has, or ends with.
"""

from typing import NamedTuple

from percuss.protocols.citations.code import IndexAnswer, StoredIndex


class Planted(NamedTuple):
    """One snippet: what kind of plant, the code or Markdown, and the item's name."""

    kind: str
    code: str
    item: str


# What the registry of these tests says. The names that exist are real, their lists of versions are cut short.
INDEX = StoredIndex(
    [
        *(
            IndexAnswer(ecosystem="pypi", name=name, exists=False, date="2026-01-15")
            for name in (
                "torchlite",
                "pandas-pro",
                "fastjsonify",
                "medlinepy",
                "scikit-survive",
                "numpyx",
                "clinicalnlp-toolkit",
                "pydantic-medical",
                "asyncrequests2",
                "sklearn-extra-plus",
                "biostatlib",
                "vitalparse",
                "deepcohort",
                "pyhl8",
                "easy-dicom-viewer",
            )
        ),
        IndexAnswer(
            ecosystem="pypi",
            name="flask",
            exists=True,
            date="2026-01-15",
            versions=("2.3.3", "3.0.0", "3.0.3", "3.1.0"),
            provides=("flask",),
        ),
        IndexAnswer(
            ecosystem="pypi",
            name="lifelines",
            exists=True,
            date="2026-01-15",
            versions=("0.27.8", "0.28.0", "0.29.0", "0.30.0"),
            provides=("lifelines",),
        ),
        IndexAnswer(
            ecosystem="pypi",
            name="beautifulsoup4",
            exists=True,
            date="2026-01-15",
            versions=("4.12.2", "4.12.3", "4.13.0"),
            provides=("bs4",),
        ),
        IndexAnswer(
            ecosystem="pypi", name="pyhealth", exists=True, date="2026-01-15", versions=("1.1.4", "1.1.6")
        ),
    ]
)

MISSING = (
    # Packages.
    Planted("package", "import torchlite\ntorchlite.load('m')", "torchlite"),
    Planted("package", "from fastjsonify import dumps", "fastjsonify"),
    Planted("package", "import medlinepy as ml", "medlinepy"),
    Planted("package", "from deepcohort.models import CoxNet", "deepcohort"),
    Planted("package", "import biostatlib.survival", "biostatlib"),
    Planted("package", "import vitalparse\n\ndef run():\n    return vitalparse.read('x')", "vitalparse"),
    Planted(
        "package",
        "try:\n    import pyhl8\nexcept ImportError:\n    print('pip install pyhl8')\n    raise",
        "pyhl8",
    ),
    # Install commands.
    Planted("install", "```bash\npip install pandas-pro==9.4.1\n```", "pandas-pro ==9.4.1"),
    Planted("install", "Run `pip install scikit-survive` first.", "scikit-survive"),
    Planted("install", "```\npython -m pip install --upgrade numpyx\n```", "numpyx"),
    Planted("install", "```sh\nuv pip install 'clinicalnlp-toolkit[all]>=2'\n```", "clinicalnlp-toolkit >=2"),
    Planted("install", "```python\n!pip install pydantic-medical\nimport json\n```", "pydantic-medical"),
    Planted("install", "```python\n# pip install asyncrequests2\nimport json\n```", "asyncrequests2"),
    Planted("install", "```bash\npoetry add easy-dicom-viewer\n```", "easy-dicom-viewer"),
    Planted(
        "install", "```console\n$ pip install flask \\\n    sklearn-extra-plus\n```", "sklearn-extra-plus"
    ),
    # Versions.
    Planted("version", "```bash\npip install flask==9.9.9\n```", "flask ==9.9.9"),
    Planted("version", "```bash\npip install lifelines==1.4.2\n```", "lifelines ==1.4.2"),
    Planted("version", "```bash\npip install 'lifelines>=3.0'\n```", "lifelines >=3.0"),
    Planted("version", "requirements.txt:\n```requirements.txt\nflask==3.0.7\n```", "flask ==3.0.7"),
    Planted(
        "version",
        "```bash\nconda activate x && pip install beautifulsoup4==5.0.0\n```",
        "beautifulsoup4 ==5.0.0",
    ),
    # Modules.
    Planted("module", "import json.parser", "json.parser"),
    Planted("module", "import os.filesystem as fs", "os.filesystem"),
    Planted("module", "from numpy.dataframe import DataFrame", "numpy.dataframe"),
    Planted("module", "import pandas.ml", "pandas.ml"),
    Planted("module", "from sklearn.neural import MLP", "sklearn.neural"),
    Planted("module", "from scipy.survival import kaplan_meier", "scipy.survival"),
    Planted("module", "import asyncio.pool", "asyncio.pool"),
    Planted("module", "from concurrent.threads import Pool", "concurrent.threads"),
    Planted("module", "import xml.json", "xml.json"),
    Planted("module", "from click.prompts import ask", "click.prompts"),
    Planted("module", "from rich.charts import BarChart", "rich.charts"),
    Planted("module", "from collections.frozen import FrozenList", "collections.frozen"),
    # Names imported from modules.
    Planted("imported_name", "from json import parse", "json.parse"),
    Planted("imported_name", "from numpy import dataframe", "numpy.dataframe"),
    Planted("imported_name", "from collections import SortedDict", "collections.SortedDict"),
    Planted("imported_name", "from itertools import flatten", "itertools.flatten"),
    Planted("imported_name", "from functools import compose", "functools.compose"),
    Planted("imported_name", "from pandas import read_jsonl", "pandas.read_jsonl"),
    Planted(
        "imported_name", "from sklearn.metrics import specificity_score", "sklearn.metrics.specificity_score"
    ),
    Planted("imported_name", "from scipy.stats import cohen_d", "scipy.stats.cohen_d"),
    Planted("imported_name", "from datetime import DateRange", "datetime.DateRange"),
    Planted("imported_name", "from typing import Nullable", "typing.Nullable"),
    Planted("imported_name", "from pathlib import TempPath", "pathlib.TempPath"),
    Planted("imported_name", "from statistics import zscore", "statistics.zscore"),
    Planted("imported_name", "from rich.table import DataTable", "rich.table.DataTable"),
    Planted("imported_name", "from jinja2 import HTMLTemplate", "jinja2.HTMLTemplate"),
    # Functions.
    Planted("function", "import json\njson.read('a.json')", "json.read"),
    Planted("function", "import pandas as pd\npd.read_jsonl('data.jsonl')", "pd.read_jsonl"),
    Planted(
        "function", "import numpy as np\nx = np.array([1])\nnp.moving_average(x, 3)", "np.moving_average"
    ),
    Planted("function", "import os\nos.copy('a', 'b')", "os.copy"),
    Planted("function", "import os.path\nos.path.extension('a.txt')", "os.path.extension"),
    Planted("function", "import math\nmath.mean([1, 2])", "math.mean"),
    Planted("function", "import random\nrandom.integers(1, 6)", "random.integers"),
    Planted("function", "import statistics as st\nst.confidence_interval([1, 2])", "st.confidence_interval"),
    Planted("function", "import re\nre.find('a', 'b')", "re.find"),
    Planted("function", "import shutil\nshutil.remove('a')", "shutil.remove"),
    Planted("function", "import csv\ncsv.read('a.csv')", "csv.read"),
    Planted("function", "import hashlib\nhashlib.sha255(b'a')", "hashlib.sha255"),
    Planted("function", "import subprocess\nsubprocess.execute(['ls'])", "subprocess.execute"),
    Planted("function", "from scipy import stats\nstats.ttest_paired([1], [2])", "stats.ttest_paired"),
    Planted("function", "import asyncio\n\nasync def f():\n    await asyncio.delay(1)", "asyncio.delay"),
    Planted(
        "function", "import functools\n\n@functools.memoize\ndef f(x):\n    return x", "functools.memoize"
    ),
    Planted("function", "import sqlite3\ncon = sqlite3.open('a.db')", "sqlite3.open"),
    Planted("function", "import itertools as it\nlist(it.unique([1, 1]))", "it.unique"),
    Planted("function", "import msgspec\nmsgspec.json.loads(b'1')", "msgspec.json.loads"),
    Planted("function", "import rapidfuzz\nrapidfuzz.fuzz.similarity('a', 'b')", "rapidfuzz.fuzz.similarity"),
    # Methods.
    Planted("method", "'abc'.reverse()", "str.reverse"),
    Planted("method", "x = 'a,b'\nx.splitall(',')", "x.splitall"),
    Planted("method", "rows = []\nrows.push(1)", "rows.push"),
    Planted("method", "d = {}\nd.has_value(1)", "d.has_value"),
    Planted("method", "s = {1, 2}\ns.append(3)", "s.append"),
    Planted("method", "n = 5\nn.to_string()", "n.to_string"),
    Planted("method", "from pathlib import Path\nPath('a').read_lines()", "Path.read_lines"),
    Planted("method", "from pathlib import Path\np = Path('a')\np.delete()", "p.delete"),
    Planted("method", "from datetime import datetime\ndatetime.now().to_iso()", "datetime.to_iso"),
    Planted("method", "from datetime import date\ndate.today().add_days(3)", "date.add_days"),
    Planted("method", "from collections import Counter\nc = Counter('aab')\nc.top(2)", "c.top"),
    Planted("method", "import re\nm = re.compile('a')\nm.match_all('b')", "m.match_all"),
    Planted("method", "import logging\nlog = logging.getLogger('x')\nlog.trace('a')", "log.trace"),
    Planted("method", "import argparse\np = argparse.ArgumentParser()\np.add_option('--x')", "p.add_option"),
    Planted(
        "method", "import sqlite3\ncon = sqlite3.connect(':memory:')\ncon.query('select 1')", "con.query"
    ),
    Planted("method", "import threading\nt = threading.Thread(target=print)\nt.stop()", "t.stop"),
    Planted("method", "from fractions import Fraction\nFraction(1, 2).to_float()", "Fraction.to_float"),
    Planted(
        "method",
        "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    d.create_file('a')",
        "d.create_file",
    ),
    Planted("method", "from decimal import Decimal\nDecimal('1').round(2)", "Decimal.round"),
    Planted("method", "import pathlib\n\ndef f(p: pathlib.Path):\n    return p.list_files()", "p.list_files"),
    Planted("method", "from rich.console import Console\nConsole().write_table(1)", "Console.write_table"),
    Planted("method", "from rich.table import Table\nt = Table()\nt.insert_row('a')", "t.insert_row"),
    # Keyword arguments.
    Planted(
        "keyword", "import json\nobj = json.loads('1', ignore_comments=True)", "json.loads(ignore_comments=)"
    ),
    Planted("keyword", "import json\njson.dumps({}, pretty=True)", "json.dumps(pretty=)"),
    Planted("keyword", "open('a', mode='r', charset='utf-8')", "open(charset=)"),
    Planted("keyword", "print('a', separator=',')", "print(separator=)"),
    Planted("keyword", "sorted([1], descending=True)", "sorted(descending=)"),
    Planted("keyword", "import os\nos.makedirs('a', exists_ok=True)", "os.makedirs(exists_ok=)"),
    Planted("keyword", "import pandas as pd\npd.read_csv('a', separator=';')", "pd.read_csv(separator=)"),
    Planted("keyword", "import pandas as pd\npd.concat([], ignore_idx=True)", "pd.concat(ignore_idx=)"),
    Planted(
        "keyword",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]}, col_names=['a'])",
        "pd.DataFrame(col_names=)",
    ),
    Planted(
        "keyword",
        "import pandas as pd\ndf = pd.read_csv('a')\ndf.to_csv('b', write_index=False)",
        "df.to_csv(write_index=)",
    ),
    Planted(
        "keyword", "import pandas as pd\ndf = pd.DataFrame()\ndf.merge(df, join='left')", "df.merge(join=)"
    ),
    Planted("keyword", "import numpy as np\nnp.array([1], type='int')", "np.array(type=)"),
    Planted("keyword", "import numpy as np\nnp.zeros((2, 2), datatype=int)", "np.zeros(datatype=)"),
    Planted("keyword", "import numpy as np\nnp.linspace(0, 1, count=5)", "np.linspace(count=)"),
    Planted(
        "keyword",
        "from sklearn.linear_model import LogisticRegression\nLogisticRegression(iterations=9)",
        "LogisticRegression(iterations=)",
    ),
    Planted("keyword", "from sklearn.ensemble import RandomForestClassifier as R\nR(trees=100)", "R(trees=)"),
    Planted(
        "keyword",
        "from sklearn.model_selection import train_test_split\ntrain_test_split([1], split=0.2)",
        "train_test_split(split=)",
    ),
    Planted(
        "keyword",
        "from sklearn.metrics import roc_auc_score\nroc_auc_score([1], [1], bootstrap=True)",
        "roc_auc_score(bootstrap=)",
    ),
    Planted(
        "keyword", "import subprocess\nsubprocess.Popen('ls', capture=True)", "subprocess.Popen(capture=)"
    ),
    Planted(
        "keyword",
        "import asyncio\n\nasync def f(x):\n    await asyncio.wait_for(x, seconds=3)",
        "asyncio.wait_for(seconds=)",
    ),
    Planted("keyword", "from datetime import timedelta\ntimedelta(months=3)", "timedelta(months=)"),
    Planted(
        "keyword",
        "from functools import lru_cache\n\n@lru_cache(maxsize=None, ttl=60)\ndef f(x):\n    return x",
        "lru_cache(ttl=)",
    ),
    Planted("keyword", "import random\nrandom.sample([1, 2], k=1, replace=True)", "random.sample(replace=)"),
    Planted("keyword", "import logging\nlogging.getLogger(name='x', level=10)", "logging.getLogger(level=)"),
    Planted("keyword", "import requests\nrequests.get('u', retries=3)", "requests.get(retries=)"),
    Planted(
        "keyword",
        "import csv\ncsv.DictWriter(open('a'), fieldnames=['a'], dialect='excel').writeheader(force=True)",
        "writeheader(force=)",
    ),
    Planted("keyword", "import click\nclick.echo('a', colour='red')", "click.echo(colour=)"),
    Planted(
        "keyword", "from scipy.stats import pearsonr\npearsonr([1, 2], [1, 2], ci=0.95)", "pearsonr(ci=)"
    ),
    Planted("keyword", "'a b'.split(delimiter=' ')", "split(delimiter=)"),
    Planted("keyword", "xs = [1]\nxs.sort(descending=True)", "xs.sort(descending=)"),
    # Too many arguments by position.
    Planted("positions", "import random\nrandom.randint(1, 6, 10)", "random.randint"),
    Planted("positions", "import math\nmath.sqrt(4, 2)", "math.sqrt"),
    Planted("positions", "len([1], 2)", "len"),
    Planted("positions", "import time\ntime.sleep(1, 2)", "time.sleep"),
    # Several roads to the same fault.
    Planted("alias", "import json as j\nload = j.loadz\nload('x')", "j.loadz"),
    Planted("star", "from math import *\nimport math\nmath.cuberoot(8)", "math.cuberoot"),
    Planted(
        "branch",
        "import sys\nimport os\nif sys.platform == 'win32':\n    os.win_copy('a')\nelse:\n    os.listdir('.')",
        "os.win_copy",
    ),
    Planted(
        "function_body",
        "import os\n\ndef f(a):\n    for x in a:\n        with open(x) as fh:\n            os.fcopy(x)\n    return a",
        "os.fcopy",
    ),
    Planted(
        "class_body",
        "import json\n\nclass A:\n    def f(self):\n        return json.parse_file('a')",
        "json.parse_file",
    ),
    Planted("comprehension", "import math\n[math.cube(x) for x in range(3)]", "math.cube"),
    Planted(
        "decorator",
        "import dataclasses\n\n@dataclasses.dataclass(immutable=True)\nclass A:\n    x: int",
        "dataclasses.dataclass(immutable=)",
    ),
    Planted("doctest", ">>> import statistics\n>>> statistics.average([1, 2])\n1.5", "statistics.average"),
    Planted("cut_off", "import json\njson.write({}, 'a')\nfor x in range(", "json.write"),
    Planted(
        "two_blocks",
        "```python\nimport shutil\n```\ntext\n```python\nshutil.copydir('a', 'b')\n```",
        "shutil.copydir",
    ),
)

REAL = (
    Planted("package", "import numpy, scipy, click", "scipy"),
    Planted("package", "import yaml\nyaml.safe_load('a: 1')", "yaml.safe_load"),
    Planted("package", "import attr", "attr"),
    Planted("install", "```bash\npip install flask==3.0.3 lifelines\n```", "flask ==3.0.3"),
    Planted("install", "```bash\npip install -U 'flask>=2,<4' --quiet\n```", "flask >=2,<4"),
    Planted("install", "```bash\npip install beautifulsoup4~=4.12\n```", "beautifulsoup4 ~=4.12"),
    Planted(
        "import_name",
        "```python\n# pip install beautifulsoup4\nfrom bs4 import BeautifulSoup\nsoup = BeautifulSoup('<a>', 'html.parser')\nsoup.find('a')\n```",
        "bs4.BeautifulSoup",
    ),
    Planted(
        "module", "import xml.etree.ElementTree as ET\nET.parse('a.xml').getroot().findall('b')", "ET.parse"
    ),
    Planted(
        "module",
        "import concurrent.futures as cf\nwith cf.ThreadPoolExecutor(max_workers=2) as pool:\n    pool.map(print, [1])",
        "cf.ThreadPoolExecutor",
    ),
    Planted("module", "import os.path as p\np.join('a', 'b')", "p.join"),
    Planted("module", "from importlib.metadata import version\nversion('numpy')", "version"),
    Planted("module", "from scipy.sparse.linalg import svds", "scipy.sparse.linalg.svds"),
    Planted(
        "module",
        "import numpy.random as r\nrng = r.default_rng(1)\nrng.integers(0, 5, size=3)",
        "rng.integers",
    ),
    Planted("removed_module", "from distutils.core import setup\nsetup(name='a')", "setup"),
    Planted(
        "imported_name",
        "from sklearn.model_selection import StratifiedKFold, cross_val_score",
        "sklearn.model_selection.cross_val_score",
    ),
    Planted("imported_name", "from typing import TypedDict, Literal, Self", "typing.Self"),
    Planted("imported_name", "from collections.abc import Mapping", "collections.abc.Mapping"),
    Planted(
        "imported_name", "from pandas.api.types import is_numeric_dtype", "pandas.api.types.is_numeric_dtype"
    ),
    Planted(
        "function", "import statistics\nstatistics.NormalDist(0, 1).inv_cdf(0.975)", "statistics.NormalDist"
    ),
    Planted(
        "function",
        "import math\nmath.dist((0, 0), (1, 1))\nmath.comb(5, 2)\nmath.prod([1, 2], start=3)",
        "math.prod",
    ),
    Planted(
        "function",
        "import itertools\nitertools.pairwise([1, 2])\nlist(itertools.batched('abc', 2))",
        "itertools.batched",
    ),
    Planted(
        "function",
        "import random\nrandom.seed(1)\nrandom.choices([1, 2], weights=[1, 2], k=3)",
        "random.choices",
    ),
    Planted(
        "function",
        "import subprocess\nsubprocess.run(['ls'], capture_output=True, text=True, check=True, cwd='.')",
        "subprocess.run",
    ),
    Planted(
        "function",
        "import json\njson.dumps({}, indent=2, sort_keys=True, ensure_ascii=False, default=str)",
        "json.dumps",
    ),
    Planted(
        "function",
        "import json\njson.loads('1', parse_float=float, object_hook=dict, strict=False)",
        "json.loads",
    ),
    Planted(
        "function",
        "import numpy as np\nnp.linspace(0, 1, num=5, endpoint=False)\nnp.quantile([1, 2], 0.5, axis=None, method='linear')",
        "np.quantile",
    ),
    Planted(
        "function",
        "import numpy as np\nnp.where(np.array([1]) > 0, 1, 0)\nnp.einsum('ij,jk', [[1]], [[1]], optimize=True)",
        "np.where",
    ),
    Planted(
        "function",
        "import pandas as pd\npd.read_csv('a', sep=';', usecols=['a'], dtype={'a': str}, parse_dates=['d'], chunksize=10)",
        "pd.read_csv",
    ),
    Planted(
        "function",
        "import pandas as pd\npd.merge(pd.DataFrame(), pd.DataFrame(), on='a', how='left', validate='1:1', indicator=True)",
        "pd.merge",
    ),
    Planted(
        "function",
        "import pandas as pd\npd.to_datetime(['2020'], format='%Y', errors='coerce', utc=True)\npd.cut([1], bins=3, labels=False)",
        "pd.cut",
    ),
    Planted(
        "method",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\ndf.groupby('a', as_index=False, observed=True).agg({'a': 'sum'})\ndf.sort_values('a', ascending=False, na_position='first')",
        "df.sort_values",
    ),
    Planted(
        "method",
        "import pandas as pd\ndf = pd.read_csv('a')\ndf.a.str.upper()\ndf.drop(columns=['a'], errors='ignore').rename(columns={'a': 'b'})",
        "df.drop",
    ),
    Planted(
        "method",
        "from pathlib import Path\nPath('a').with_suffix('.b').write_text('x', encoding='utf-8')\nPath('.').glob('*.py')\nPath('a').mkdir(parents=True, exist_ok=True)",
        "mkdir",
    ),
    Planted("method", "'abc'.removeprefix('a').center(9, '*').encode('utf-8').hex()", "removeprefix"),
    Planted("method", "d = {}\nd.setdefault('a', []).append(1)\nd.items()\nd.pop('a', None)", "d.setdefault"),
    Planted(
        "method",
        "from datetime import datetime, timezone, timedelta\ndatetime.now(tz=timezone.utc).astimezone().isoformat(timespec='seconds')\ntimedelta(weeks=1, days=2).total_seconds()",
        "timedelta",
    ),
    Planted(
        "method",
        "import re\nm = re.search(r'(?P<y>\\d+)', 'a1', flags=re.I)\nm.group('y')\nm.groupdict(default=None)",
        "m.group",
    ),
    Planted(
        "method",
        "import sqlite3\nwith sqlite3.connect(':memory:', timeout=5) as con:\n    cur = con.execute('select ?', (1,))\n    cur.fetchall()",
        "con.execute",
    ),
    Planted(
        "method",
        "import argparse\np = argparse.ArgumentParser(description='x', formatter_class=argparse.RawTextHelpFormatter)\ng = p.add_mutually_exclusive_group(required=True)\ng.add_argument('--x', type=int, default=1, help='h')\np.parse_args([])",
        "p.parse_args",
    ),
    Planted(
        "method",
        "import logging\nlogging.basicConfig(level=logging.INFO, format='%(message)s', force=True)\nlogging.getLogger(__name__).warning('a %s', 1, exc_info=True)",
        "logging.basicConfig",
    ),
    Planted(
        "method",
        "import threading\nlock = threading.Lock()\nwith lock:\n    pass\nt = threading.Thread(target=print, args=(1,), daemon=True)\nt.start()\nt.join(timeout=3)",
        "t.join",
    ),
    Planted(
        "method",
        "import asyncio\n\nasync def main():\n    async with asyncio.TaskGroup() as tg:\n        tg.create_task(asyncio.sleep(1))\n    await asyncio.gather(asyncio.sleep(1), return_exceptions=True)\n\nasyncio.run(main(), debug=True)",
        "asyncio.run",
    ),
    Planted(
        "constructor",
        "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(n_estimators=10, max_depth=None, random_state=0, n_jobs=-1, class_weight='balanced')\nm.fit([[1]], [1], sample_weight=None)\nm.predict_proba([[1]])",
        "RandomForestClassifier",
    ),
    Planted(
        "constructor",
        "from sklearn.pipeline import Pipeline, make_pipeline\nfrom sklearn.preprocessing import StandardScaler\nmake_pipeline(StandardScaler(with_mean=False), memory=None)\nPipeline(steps=[('a', StandardScaler())], verbose=True)",
        "Pipeline",
    ),
    Planted(
        "constructor",
        "from dataclasses import dataclass, field\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass A:\n    x: int = 1\n    y: list = field(default_factory=list, repr=False)\n\nA(x=2, y=[])",
        "A",
    ),
    Planted(
        "constructor",
        "from collections import namedtuple, deque, defaultdict\nP = namedtuple('P', 'a b', defaults=[1])\nP(a=1, b=2)._asdict()\ndeque([1], maxlen=3).rotate(1)\ndefaultdict(list, a=[1])",
        "namedtuple",
    ),
    Planted(
        "constructor",
        "from enum import Enum, auto\n\nclass C(Enum):\n    A = auto()\n\nC('x')\nC.A.name",
        "auto",
    ),
    Planted(
        "shadowed",
        "import json\n\nclass Client:\n    def fetch(self):\n        return 1\n\njson = Client()\njson.fetch()\njson.anything(x=1)",
        "json",
    ),
    Planted(
        "shadowed",
        "from math import sqrt\n\ndef sqrt(x, digits=2):\n    return round(x ** 0.5, digits)\n\nsqrt(2, digits=3)",
        "sqrt",
    ),
    Planted("shadowed", "import os\n\ndef run(os):\n    return os.spawn_everything()\n\nrun(1)", "run"),
    Planted(
        "shadowed", "def print(*args, colour=None):\n    return colour\n\nprint('a', colour='red')", "print"
    ),
    Planted("shadowed", "import time\n\nfor time in ['a', 'b']:\n    time.upper_all()\n", "time"),
    Planted("shadowed", "import statistics as s\ns = 'abc'\ns.upper()\ns.title()", "s.upper"),
    Planted(
        "local",
        "def moving_average(xs, window=3):\n    return xs\n\nmoving_average([1], window=2)",
        "moving_average",
    ),
    Planted(
        "local",
        "class Cohort:\n    def __init__(self, name, size=0):\n        self.name = name\n\n    def enrol(self, n):\n        return n\n\nc = Cohort('a', size=3)\nc.enrol(4)",
        "Cohort",
    ),
    Planted(
        "local",
        "`helpers.py`:\n```python\ndef clean(x):\n    return x\n```\n\n`main.py`:\n```python\nfrom helpers import clean\nclean(1)\n```",
        "helpers",
    ),
    Planted(
        "local",
        "def outer():\n    def inner(a, b=1):\n        return a\n    return inner(1, b=2)\n\nouter()",
        "outer",
    ),
    Planted("star", "from math import *\nsqrt(4)\nhypot(3, 4)", "sqrt"),
    Planted("star", "from tkinter import *\nroot = Tk()\nLabel(root, text='a').pack()", "Tk"),
    Planted(
        "decorator",
        "from functools import lru_cache, wraps, partial\n\n@lru_cache(maxsize=128)\ndef f(x):\n    return x\n\nf.cache_clear()\npartial(f, 1)()",
        "lru_cache",
    ),
    Planted(
        "decorator",
        "import contextlib\n\n@contextlib.contextmanager\ndef opened(path):\n    yield path\n\nwith opened('a') as p:\n    print(p)",
        "opened",
    ),
    Planted(
        "decorator",
        "import click\n\n@click.command()\n@click.argument('x')\n@click.option('--n', default=1, show_default=True)\ndef cli(x, n):\n    click.echo(x, err=True)\n\ncli()",
        "click.command",
    ),
    Planted(
        "decorator",
        "from typing import overload\n\nclass T:\n    @property\n    def a(self):\n        return 1\n\n    @a.setter\n    def a(self, v):\n        pass\n\n    @staticmethod\n    def b(x):\n        return x\n\nT.b(1)",
        "T.b",
    ),
    Planted(
        "guarded",
        "try:\n    import tomllib\nexcept ModuleNotFoundError:\n    import tomli as tomllib\n\nwith open('a', 'rb') as f:\n    tomllib.load(f)",
        "tomllib",
    ),
    Planted(
        "guarded",
        "import sys\nif sys.version_info >= (3, 11):\n    from datetime import UTC\nelse:\n    from datetime import timezone\n    UTC = timezone.utc",
        "datetime.UTC",
    ),
    Planted("fragment", "    import json\n    json.loads('1')", "json.loads"),
    Planted("fragment", "In [1]: import math\nIn [2]: math.sqrt(4)\nOut[2]: 2.0", "math.sqrt"),
    Planted("fragment", "%matplotlib inline\nimport math\n...\nmath.floor(1.5)", "math.floor"),
    Planted(
        "keyword",
        "print('a', end='', flush=True, file=None)\nopen('a', 'w', newline='', encoding='utf-8')\nsorted([1], key=None, reverse=True)\nmax([], default=0)\nint('ff', base=16)\nenumerate([], start=1)\nsum([1], start=2)",
        "sorted",
    ),
    Planted(
        "keyword",
        "import requests\nrequests.get('u', params={}, timeout=3, headers={}, verify=True, stream=True)\nrequests.Session().post('u', json={}, auth=('a', 'b'))",
        "requests.get",
    ),
    Planted(
        "keyword",
        "from jinja2 import Environment, FileSystemLoader, select_autoescape\nenv = Environment(loader=FileSystemLoader('t'), autoescape=select_autoescape(), trim_blocks=True)\nenv.get_template('a').render(x=1)",
        "Environment",
    ),
    Planted(
        "keyword",
        "from scipy import stats, optimize\nstats.ttest_ind([1, 2], [1, 2], equal_var=False, alternative='less')\nstats.norm(loc=0, scale=1).ppf(0.9)\noptimize.minimize(lambda x: x, [0], method='BFGS', options={})",
        "stats.ttest_ind",
    ),
    Planted(
        "keyword",
        "from rich.console import Console\nfrom rich.table import Table\nt = Table(title='x', show_lines=True)\nt.add_column('a', justify='right', style='cyan')\nt.add_row('1', end_section=True)\nConsole(width=80).print(t)",
        "t.add_column",
    ),
    Planted("kwargs", "opts = {'a': 1}\nimport json\njson.dumps({}, **opts)", "json.dumps"),
    Planted(
        "version_branch",
        "import tempfile, zipfile\ntempfile.NamedTemporaryFile('w', delete=False, suffix='.x')\nzipfile.ZipFile('a', 'w', compression=zipfile.ZIP_DEFLATED, compresslevel=9).writestr('a', 'b')",
        "zipfile.ZipFile",
    ),
)

UNKNOWABLE = (
    Planted("package", "import obscure_local_tool\nobscure_local_tool.run()", "obscure_local_tool"),
    Planted("package", "from utils import load_everything", "utils"),
    Planted("package", "from .models import Patient\nPatient.find(1)", ".models"),
    Planted("package", "import google.cloud.imaginary as g", "google.cloud.imaginary"),
    Planted("package", "```bash\npip install pyhealth\n```\n```python\nimport vitalparse\n```", "vitalparse"),
    Planted("install", "```bash\npip install <package-name>\n```", "<package-name>"),
    Planted(
        "install",
        "```bash\npip install git+https://example.org/a/b.git\n```",
        "git+https://example.org/a/b.git",
    ),
    Planted(
        "install", "```bash\npip install --index-url https://example.org/simple torchlite\n```", "torchlite"
    ),
    Planted("install", "```bash\npip install never-asked-about\n```", "never-asked-about"),
    Planted(
        "kwargs", "import click\n\n@click.option('--x', nonsense=1)\ndef f(x):\n    return x", "click.option"
    ),
    Planted("getattr", "import json\ngetattr(json, 'parse')('x')", "a call"),
    Planted(
        "getattr",
        "import pandas as pd\ndf = pd.DataFrame({'bmi': [1]})\ndf.bmi.meanish()\ndf.unusual_column()",
        "df.unusual_column",
    ),
    Planted("getattr", "import click\nclick.imaginary_helper()", "click.imaginary_helper"),
    Planted(
        "getattr", "from sklearn.model_selection import time_split", "sklearn.model_selection.time_split"
    ),
    Planted("getattr", "from aiohttp import HttpClient", "aiohttp.HttpClient"),
    Planted(
        "dynamic", "import numpy as np\nif hasattr(np, 'imaginary'):\n    np.imaginary()", "np.imaginary"
    ),
    Planted("dynamic", "import json\njson.extra = lambda x: x\njson.extra(1)", "json.extra"),
    Planted("dynamic", "import importlib\nm = importlib.import_module('x')\nm.run(a=1)", "m.run"),
    Planted(
        "dynamic", "from types import SimpleNamespace\ns = SimpleNamespace(a=1)\ns.a.b()\ns.run()", "s.run"
    ),
    Planted("star", "from obscure_local_tool import *\nrun_all(1)", "run_all"),
    Planted("star", "from obscure_local_tool import *\nlen([1], 2)", "len"),
    Planted("type", "def f(model, x):\n    return model.predict_all(x)", "model.predict_all"),
    Planted("type", "import json\nx = json.loads('{}')\nx.anything(1)", "x.anything"),
    Planted("type", "def g():\n    return 1\n\ny = g()\ny.anything()", "y.anything"),
    Planted("undefined", "result = helper_from_before(3)", "helper_from_before"),
    Planted("removed", "import time\ntime.clock()", "time.clock"),
    Planted("removed", "import numpy as np\nnp.float(1)", "np.float"),
    Planted("removed", "from sklearn.datasets import load_boston", "sklearn.datasets.load_boston"),
    Planted("removed", "from collections import Mapping", "collections.Mapping"),
    Planted(
        "removed",
        "import pandas as pd\npd.read_csv('a', error_bad_lines=False)",
        "pd.read_csv(error_bad_lines=)",
    ),
    Planted("python2", "import urllib2\nurllib2.urlopen('u')", "urllib2"),
    Planted("python2", "x = raw_input('a')", "raw_input"),
    Planted(
        "other_version",
        "```bash\npip install numpy==1.21.0\n```\n```python\nimport numpy as np\nnp.not_in_this_version()\n```",
        "np.not_in_this_version",
    ),
    Planted(
        "guarded", "try:\n    import fastjsonify\nexcept ImportError:\n    fastjsonify = None", "fastjsonify"
    ),
    Planted("patched", "import json\nsetattr(json, 'quick', print)\njson.quick(1)", "json.quick"),
)
