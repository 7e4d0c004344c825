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
    # A second table, written once the checker stood. At first sight 40 of its 50 were found (40 of these 44), none accused wrongly.
    Planted("later", "import glob\nglob.find('*.py')", "glob.find"),
    Planted("later", "from os import path\npath.is_file('a')", "path.is_file"),
    Planted("later", "import string\nstring.random(8)", "string.random"),
    Planted("later", "import collections\nq = collections.PriorityQueue()", "collections.PriorityQueue"),
    Planted("later", "import heapq\nheapq.push([], 1)", "heapq.push"),
    Planted("later", "import bisect\nbisect.search([1], 1)", "bisect.search"),
    Planted("later", "import time\ntime.now()", "time.now"),
    Planted("later", "import datetime\ndatetime.datetime.parse('2020')", "datetime.parse"),
    Planted("later", "import base64\nbase64.encode_string('a')", "base64.encode_string"),
    Planted("later", "import uuid\nuuid.uuid6000()", "uuid.uuid6000"),
    Planted("later", "import pickle\npickle.save({}, 'a')", "pickle.save"),
    Planted("later", "import inspect\ninspect.get_signature(len)", "inspect.get_signature"),
    Planted("later", "import typing as t\nx: t.Nullable = 1", "t.Nullable"),
    Planted("later", "import zipfile\nz = zipfile.ZipFile('a')\nz.unzip_all('b')", "z.unzip_all"),
    Planted(
        "later", "import email.message\nm = email.message.EmailMessage()\nm.attach_file('a')", "m.attach_file"
    ),
    Planted("later", "import configparser\nc = configparser.ConfigParser()\nc.load('a.ini')", "c.load"),
    Planted("later", "import socket\ns = socket.socket()\ns.send_all(b'a')", "s.send_all"),
    Planted("later", "import queue\nq = queue.Queue()\nq.push(1)", "q.push"),
    Planted("later", "import multiprocessing as mp\nwith mp.Pool(4, timeout=3) as p:\n    pass", "timeout="),
    Planted(
        "later",
        "from concurrent.futures import ThreadPoolExecutor\nex = ThreadPoolExecutor(workers=3)",
        "workers=",
    ),
    Planted("later", "import urllib.request as r\nr.urlopen('u', headers={})", "headers="),
    Planted(
        "later",
        "import unittest\n\nclass T(unittest.TestCase):\n    pass\n\nunittest.TestCase().assertSame(1, 1)",
        "assertSame",
    ),
    Planted("later", "import numpy as np\nnp.random.random_integer(5)", "random_integer"),
    Planted("later", "import numpy as np\nnp.random.default_rng(1).randint(1, 5)", "randint"),
    Planted("later", "import numpy as np\nnp.linalg.inverse([[1]])", "np.linalg.inverse"),
    Planted("later", "import numpy as np\nnp.save_csv('a', [1])", "np.save_csv"),
    Planted(
        "later", "import pandas as pd\npd.DataFrame({'a': [1]}).to_csv('a', delimiter=';')", "delimiter="
    ),
    Planted("later", "import pandas as pd\ndf = pd.read_excel('a', sheet='x')", "sheet="),
    Planted("later", "import pandas as pd\ns = pd.Series([1])\ns.value_counts(relative=True)", "relative="),
    Planted("later", "import pandas as pd\ndf = pd.DataFrame()\ndf.fillna(0, columns=['a'])", "columns="),
    Planted("later", "import pandas as pd\npd.pivot([1])\npd.unpivot([1])", "pd.unpivot"),
    Planted("later", "from sklearn.svm import SVC\nSVC(regularization=1.0)", "regularization="),
    Planted("later", "from sklearn.cluster import KMeans\nKMeans(clusters=3)", "clusters="),
    Planted(
        "later",
        "from sklearn.preprocessing import OneHotEncoder\nOneHotEncoder(drop_first=True)",
        "drop_first=",
    ),
    Planted(
        "later",
        "from sklearn.model_selection import cross_val_score\ncross_val_score(None, [1], [1], folds=5)",
        "folds=",
    ),
    Planted("later", "from scipy.optimize import gradient_descent", "gradient_descent"),
    Planted("later", "import statsmodels.api as sm\nsm.LinearRegression([1], [1])", "sm.LinearRegression"),
    Planted("later", "from statsmodels.stats.power import PowerAnalysis", "PowerAnalysis"),
    Planted(
        "later",
        "import aiohttp\n\nasync def f():\n    async with aiohttp.ClientSession(max_retries=3) as s:\n        pass",
        "max_retries=",
    ),
    Planted("later", "import sqlalchemy as sa\nsa.make_engine('sqlite://')", "sa.make_engine"),
    Planted("later", "from starlette.responses import XMLResponse", "XMLResponse"),
    Planted("later", "import httpx\nhttpx.get('u', retries=3)", "retries="),
    Planted(
        "later",
        "from PIL import Image\nim = Image.open('a')\nim.resize((1, 1), keep_ratio=True)",
        "keep_ratio=",
    ),
    Planted("later", "import yaml\nyaml.load_safe('a')", "yaml.load_safe"),
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
    # From the second table: names behind a `__getattr__`, a compiled module, lists of names made at run time.
    Planted("later", "from sklearn.impute import MeanImputer", "MeanImputer"),
    Planted("later", "from scipy import signal\nsignal.bandpass([1], 1, 2)", "signal.bandpass"),
    Planted("later", "from pydantic import validate_model_now", "validate_model_now"),
    Planted("later", "import bs4\nbs4.BeautifulSoup('a', 'html.parser').select_first('a')", "select_first"),
    Planted("later", "from lxml import etree\netree.parse_json('a')", "etree.parse_json"),
    Planted("later", "import psutil\npsutil.gpu_percent()", "psutil.gpu_percent"),
)

# Longer code as answers have it, all of it sound; from the second table too.
LONG = (
    "import pyarrow.compute as pc\npc.struct_field(None, 'a')\npc.list_value_length([[1]])",  # named by a function that fills globals()
    "import glob, fnmatch\nglob.glob('**/*.py', recursive=True, root_dir='.')\nfnmatch.filter(['a'], '*')",
    "import heapq, bisect\nheapq.nlargest(2, [1], key=None)\nbisect.insort([1], 2, key=None)",
    "from email.message import EmailMessage\nm = EmailMessage()\nm['Subject'] = 'x'\nm.set_content('a')\nm.add_attachment(b'a', maintype='a', subtype='b', filename='c')",
    "import smtplib, ssl\nwith smtplib.SMTP_SSL('h', 465, context=ssl.create_default_context()) as s:\n    s.login('a', 'b')\n    s.sendmail('a', ['b'], 'c')",
    "import configparser\nc = configparser.ConfigParser(interpolation=None)\nc.read('a', encoding='utf-8')\nc.getint('a', 'b', fallback=1)\nc['a']['b'] = '1'",
    "import socket, select\ns = socket.socket(socket.AF_INET, socket.SOCK_STREAM)\ns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\ns.bind(('', 0))\ns.listen(5)\nconn, addr = s.accept()\nconn.recv(1024)",
    "import multiprocessing as mp\nwith mp.Pool(processes=2, initializer=None) as pool:\n    pool.starmap(print, [(1, 2)], chunksize=1)\nq = mp.Queue()\nq.put(1, timeout=1)",
    "import unittest\nfrom unittest.mock import patch, Mock\n\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = Mock(return_value=1)\n\n    @patch('os.listdir', return_value=[])\n    def test_a(self, m):\n        self.assertAlmostEqual(1, 1, places=3)\n        m.assert_called_once_with('a')\n\nif __name__ == '__main__':\n    unittest.main(verbosity=2)",
    "import numpy as np\na = np.arange(12).reshape(3, 4)\na.mean(axis=0, keepdims=True)\na[a > 3].sum()\na.T @ a\nnp.linalg.norm(a, ord=2)\nnp.random.seed(0)\nnp.random.normal(loc=0, scale=1, size=(3,))\nnp.concatenate([a, a], axis=1)\nnp.savetxt('a', a, delimiter=',', fmt='%d')",
    "import numpy as np\nx = np.linspace(0, 1)\ny = np.polyfit(x, x, deg=2)\nnp.polyval(y, x)\nnp.histogram(x, bins=10, density=True)\nnp.percentile(x, [5, 95])\nnp.nanmean(x)\nnp.unique(x, return_counts=True)",
    "import pandas as pd\ndf = pd.read_excel('a', sheet_name='x', engine='openpyxl')\ndf.pivot_table(index='a', columns='b', values='c', aggfunc='mean', fill_value=0)\ndf.melt(id_vars='a', var_name='v', value_name='w')\ndf['d'] = df['a'].apply(lambda x: x + 1)\ndf.loc[df.a > 1, ['a']].plot(kind='bar', figsize=(3, 3))\ndf.iloc[0].to_dict()\ndf.isna().sum()\ndf.describe(include='all').round(2)\ndf.to_parquet('a', index=False)",
    "import pandas as pd\ns = pd.date_range('2020-01-01', periods=3, freq='D', tz='UTC')\nts = pd.Series(range(3), index=s)\nts.resample('W').mean()\nts.rolling(window=2, min_periods=1).std()\nts.shift(1).diff().fillna(0)\nts.value_counts(normalize=True, dropna=False)",
    "from sklearn.model_selection import GridSearchCV, train_test_split, KFold\nfrom sklearn.svm import SVC\nfrom sklearn.metrics import classification_report, confusion_matrix, roc_auc_score\nX, y = [[1]], [1]\nXa, Xb, ya, yb = train_test_split(X, y, test_size=0.2, random_state=1, stratify=y)\ng = GridSearchCV(SVC(kernel='rbf', C=1.0, probability=True), {'C': [1]}, cv=KFold(n_splits=5, shuffle=True, random_state=0), scoring='roc_auc', n_jobs=-1)\ng.fit(Xa, ya)\nprint(g.best_params_, g.best_score_)\nprint(classification_report(yb, g.predict(Xb), digits=3))",
    "from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import OneHotEncoder, StandardScaler\nfrom sklearn.impute import SimpleImputer\nct = ColumnTransformer([('n', StandardScaler(), ['a']), ('c', OneHotEncoder(handle_unknown='ignore', drop='first', sparse_output=False), ['b'])], remainder='passthrough')\nct.fit_transform(None)\nct.get_feature_names_out()\nSimpleImputer(strategy='median', add_indicator=True)",
    "import statsmodels.api as sm\nimport statsmodels.formula.api as smf\nm = smf.ols('a ~ b + C(c)', data=None).fit(cov_type='HC3')\nm.summary()\nsm.add_constant([1])\nsm.Logit([1], [1]).fit(disp=0).get_margeff()",
    "from scipy import stats, signal, integrate, interpolate\nb, a = signal.butter(4, 0.2, btype='low', fs=None)\nsignal.filtfilt(b, a, [1.0])\nstats.chi2_contingency([[1, 2], [3, 4]], correction=False)\nstats.mannwhitneyu([1], [2], alternative='two-sided', method='exact')\nintegrate.quad(lambda x: x, 0, 1, epsabs=1e-8)\ninterpolate.interp1d([0, 1], [0, 1], kind='linear', fill_value='extrapolate')(0.5)\nstats.bootstrap(([1, 2],), stats.tmean, n_resamples=9, confidence_level=0.9)",
    "import aiohttp, asyncio\n\nasync def fetch(url: str) -> str:\n    timeout = aiohttp.ClientTimeout(total=5, connect=1)\n    async with aiohttp.ClientSession(timeout=timeout, headers={}) as session:\n        async with session.get(url, params={'a': 1}, ssl=False) as r:\n            r.raise_for_status()\n            return await r.text(encoding='utf-8')\n\nasync def main():\n    sem = asyncio.Semaphore(3)\n    async with sem, asyncio.timeout(5):\n        t = asyncio.create_task(fetch('u'), name='x')\n        t.add_done_callback(print)\n        await asyncio.wait([t], return_when=asyncio.FIRST_COMPLETED)\n    loop = asyncio.get_running_loop()\n    await loop.run_in_executor(None, print, 1)\n\nasyncio.run(main())",
    "from pydantic import BaseModel, Field, field_validator, ValidationError\n\nclass P(BaseModel):\n    name: str = Field(min_length=1, description='x')\n    age: int = Field(ge=0, le=120, default=1)\n\n    @field_validator('name')\n    @classmethod\n    def v(cls, value: str) -> str:\n        return value.strip()\n\ntry:\n    p = P(name='a', age=3)\n    p.model_dump(exclude_none=True)\n    P.model_validate({'name': 'b'})\n    P.model_json_schema()\nexcept ValidationError as e:\n    print(e.errors(), e.json())",
    "import sqlalchemy as sa\nfrom sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, Session, relationship\n\nclass Base(DeclarativeBase):\n    pass\n\nclass U(Base):\n    __tablename__ = 'u'\n    id: Mapped[int] = mapped_column(primary_key=True)\n    name: Mapped[str] = mapped_column(sa.String(30), nullable=False, index=True)\n\nengine = sa.create_engine('sqlite://', echo=True, pool_pre_ping=True)\nBase.metadata.create_all(engine)\nwith Session(engine, expire_on_commit=False) as s:\n    s.add(U(name='a'))\n    s.commit()\n    s.execute(sa.select(U).where(U.name == 'a').order_by(U.id.desc()).limit(1)).scalars().all()",
    "from starlette.applications import Starlette\nfrom starlette.responses import JSONResponse, StreamingResponse\nfrom starlette.routing import Route, Mount\n\nasync def home(request):\n    return JSONResponse({'a': await request.json()}, status_code=201)\n\napp = Starlette(debug=True, routes=[Route('/', home, methods=['GET'])])",
    "import httpx\nwith httpx.Client(base_url='u', timeout=httpx.Timeout(5.0, connect=1.0), follow_redirects=True, transport=httpx.HTTPTransport(retries=2)) as c:\n    r = c.post('/a', json={}, headers={})\n    r.raise_for_status()\n    r.json()\n    print(r.status_code, r.elapsed.total_seconds())",
    "import yaml, json, sys\nwith open('a') as f:\n    d = yaml.safe_load(f)\nyaml.dump(d, sys.stdout, sort_keys=False, default_flow_style=False, allow_unicode=True)\njson.dump(d, open('b', 'w'), indent=2, default=str)",
    "from PIL import Image, ImageDraw, ImageFilter\nim = Image.open('a').convert('L')\nim.resize((10, 10), resample=Image.Resampling.LANCZOS)\nim.filter(ImageFilter.GaussianBlur(radius=2)).save('b', quality=90)\nd = ImageDraw.Draw(im)\nd.rectangle([0, 0, 1, 1], outline='red', width=2)\nim.getpixel((0, 0))",
    "import re\npat = re.compile(r'a', re.I | re.M)\nfor m in pat.finditer('aa'):\n    print(m.start(), m.end(), m.span())\nre.sub(r'a', lambda m: m.group(0).upper(), 'a', count=1)\nre.split(r',', 'a,b', maxsplit=1)\nre.fullmatch('a', 'a')",
    "import time, functools, logging\n\ndef timed(fn):\n    @functools.wraps(fn)\n    def inner(*a, **k):\n        t = time.perf_counter()\n        try:\n            return fn(*a, **k)\n        finally:\n            logging.getLogger(__name__).info('%s', time.perf_counter() - t, extra={'x': 1})\n    return inner\n\n@timed\ndef f(x, *, y=1):\n    return x\n\nf(1, y=2)",
    "import torch\nimport torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 1)\n    def forward(self, x):\n        return torch.relu(self.l(x))\nNet().to('cpu').eval()",
    "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(1, 2, figsize=(3, 3), sharey=True)\nax[0].plot([1], [2], label='a')\nfig.savefig('a.png', dpi=200, bbox_inches='tight')",
    "from __future__ import annotations\nfrom typing import NamedTuple, Protocol, TypeVar, Generic, Iterable\nT = TypeVar('T', bound='Base')\nclass Row(NamedTuple):\n    a: int\n    b: str = 'x'\nclass Box(Generic[T]):\n    def get(self) -> T: ...\nr = Row(a=1)\nr._replace(b='y')._asdict()\nRow._make([1, 'a'])",
    "import os, shutil, sys, platform\nos.environ.get('A', 'b')\nos.walk('.', topdown=False)\nshutil.copytree('a', 'b', dirs_exist_ok=True, ignore=shutil.ignore_patterns('*.pyc'))\nshutil.which('ls')\nos.path.getmtime('a')\nsys.stdout.write('x')\nsys.stderr.flush()\nplatform.system()\nos.cpu_count()\nos.getpid()\nfor e in os.scandir('.'):\n    e.is_file()",
    "from datetime import datetime, timedelta, date\nfrom zoneinfo import ZoneInfo\nd = datetime.strptime('2020', '%Y').replace(tzinfo=ZoneInfo('UTC'))\n(d - timedelta(hours=1)).strftime('%H')\nd.date().isoformat()\ndate.fromisoformat('2020-01-01').weekday()\n(datetime.now() - datetime(2020, 1, 1)).days\nd.timestamp()",
)
